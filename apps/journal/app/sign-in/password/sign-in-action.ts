import type { PasskeyAssertion } from '@fabrica/contract';
import { data } from 'react-router';
import { clientErrorCode, type FormErrors, hasErrors, toFormErrors } from '../forms/form-errors.ts';
import { parseCode, readField } from '../forms/form-fields.ts';
import { type SigningIn, signIn } from '../tokens/signing-in.ts';
import { checkSignInFields, passwordSignIn, readSignInFields, type SignInView } from './sign-in-fields.ts';

/** Describes the result of a form; the page shows the form again with it. */
export interface SignInOutcome {
  view: SignInView;
  errors: FormErrors;
  /** The fields as they were typed, without the password. */
  typed: { email: string; displayName: string; code: string };
  /** `verify` means that the account exists, and its email is to be verified with the code of a mail. */
  step: 'credentials' | 'verify';
  /** Whether the code was right, so that the reader only has to sign in. */
  verified: boolean;
  /** Whether another mail was sent. */
  again: boolean;
}

/** Signs in by password or passkey, signs up, or verifies the email of an account. */
export async function submitSignIn(signingIn: SigningIn | undefined, view: SignInView, fields: FormData) {
  if (!signingIn) return data(undefined, { status: 400 });
  const intent = readField(fields, 'intent');
  const sent = readSignInFields(fields);
  const outcome: SignInOutcome = {
    view,
    errors: {},
    typed: { email: sent.email, displayName: sent.displayName, code: readField(fields, 'code') },
    step: intent === 'verify' || intent === 'again' ? 'verify' : 'credentials',
    verified: fields.has('verified'),
    again: false,
  };
  if (intent === 'verify') return verifyEmail(signingIn, outcome, fields);
  const isPasskey = intent === 'passkey';
  // To send another mail, a sign-in is tried once more, also of an account that was made by this page.
  const way = intent === 'again' ? 'sign-in' : view;
  const errors = isPasskey ? {} : checkSignInFields(way, sent);
  if (hasErrors(errors)) return data({ ...outcome, errors }, { status: 400 });
  try {
    return await signIn(
      signingIn,
      isPasskey ? (auth) => auth.signInWithPasskey(readCredential(fields)) : passwordSignIn(way, sent),
    );
  } catch (error) {
    if (clientErrorCode(error) === 'EMAIL_NOT_VERIFIED') {
      // The server has sent a mail with this response.
      return data({ ...outcome, step: 'verify' as const, again: intent === 'again' }, { status: 403 });
    }
    return refuse(signingIn, outcome, { error, errors: errorsOf(error, intent) });
  }
}

/** Verifies the email, and signs in where the password is known: a page with a script has it from the form before. */
async function verifyEmail(signingIn: SigningIn, outcome: SignInOutcome, fields: FormData) {
  const { email, password } = readSignInFields(fields);
  const code = parseCode(outcome.typed.code);
  if (!code) return data({ ...outcome, errors: { code: 'CODE_MISSING' } as const }, { status: 400 });
  let { verified } = outcome;
  try {
    // The code works once: if the sign-in after it fails, only the sign-in is tried again.
    if (!verified) {
      const proof = password || readField(fields, 'ownPassword') || undefined;
      await signingIn.auth.verifyEmail({ email, code }, { password: proof });
      verified = true;
    }
    if (!password) return data({ ...outcome, step: 'credentials' as const, verified });
    return await signIn(signingIn, (auth) => auth.signInWithEmail(email, password));
  } catch (error) {
    return refuse(signingIn, { ...outcome, verified }, { error, errors: toFormErrors(error, 'code') });
  }
}

function errorsOf(error: unknown, intent: string): FormErrors {
  if (intent === 'passkey') return { passkey: toFormErrors(error).form ?? 'default' };
  return toFormErrors(error, intent === 'again' ? 'code' : undefined);
}

function refuse(
  { reportFailure }: SigningIn,
  outcome: SignInOutcome,
  { error, errors }: { error: unknown; errors: FormErrors },
) {
  if (!clientErrorCode(error)) reportFailure(error);
  return data({ ...outcome, errors }, { status: statusOf(error) });
}

/** Returns the credential of a passkey, which a script has put into a field. */
export function readCredential<Credential = PasskeyAssertion>(fields: FormData): Credential {
  return JSON.parse(readField(fields, 'credential') || 'null') as Credential;
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0;
  return status >= 400 ? status : 500;
}
