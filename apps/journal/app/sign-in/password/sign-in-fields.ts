import { nameFault } from '@fabrica/contract';
import type { FormErrors } from '../forms/form-errors.ts';
import { hasPasswordLength, isEmail, readField } from '../forms/form-fields.ts';
import type { SignInCall } from '../tokens/signing-in.ts';

/** Names the form that the page shows: for an existing account or for a new one. */
export type SignInView = 'sign-in' | 'sign-up';

/** Holds what was typed into the form. */
interface SignInFields {
  email: string;
  password: string;
  displayName: string;
}

/** The maximum number of characters in a display name. */
export const MAX_NAME_LENGTH = 100;

export function readSignInFields(fields: FormData): SignInFields {
  return {
    email: readField(fields, 'email').trim(),
    password: readField(fields, 'password'),
    displayName: readField(fields, 'name').trim(),
  };
}

const NAME_ERRORS = { email: 'NAME_IS_EMAIL', unclear: 'NAME_UNCLEAR' } as const;

/** Returns the errors that can be found without the server; existing accounts may have a password of any length. */
export function checkSignInFields(view: SignInView, fields: SignInFields): FormErrors {
  const { email, password, displayName } = fields;
  const errors: FormErrors = {};
  const fault = nameFault(displayName);
  if (displayName.length > MAX_NAME_LENGTH) errors.name = 'NAME_TOO_LONG';
  else if (fault) errors.name = NAME_ERRORS[fault];
  if (!isEmail(email)) errors.email = 'INVALID_EMAIL';
  if (!password) errors.password = 'PASSWORD_MISSING';
  else if (view === 'sign-up' && !hasPasswordLength(password)) errors.password = 'WEAK_PASSWORD';
  return errors;
}

/** Returns the call that signs in, or that creates an account and signs in to it. */
export function passwordSignIn(view: SignInView, { email, password, displayName }: SignInFields): SignInCall {
  return (auth) =>
    view === 'sign-up'
      ? auth.signUp({ email, password, displayName: displayName || undefined })
      : auth.signInWithEmail(email, password);
}
