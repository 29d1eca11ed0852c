import { type FormErrors, hasErrors, toFormErrors } from '../forms/form-errors.ts';
import { hasPasswordLength, isEmail, parseCode, readField } from '../forms/form-fields.ts';

/** Describes how far a form with a mail has come. The server and the browser take the same steps. */
export interface MailFormState {
  /** `sent` means that a mail was requested and its code can be typed. */
  step: 'begin' | 'sent' | 'done';
  /** The email as it was typed. */
  email: string;
  /** The code as it was typed. */
  code: string;
  /** Whether the mail was requested once more. */
  again: boolean;
  errors: FormErrors;
}

export const INITIAL_STATE: MailFormState = { step: 'begin', email: '', code: '', again: false, errors: {} };

/** Submits the email that was typed, so that a mail is sent to it. */
export async function submitEmail(
  fields: FormData,
  send: (email: string) => Promise<unknown>,
): Promise<MailFormState> {
  const email = readField(fields, 'email').trim();
  const again = readField(fields, 'intent') === 'again';
  const before: MailFormState = { ...INITIAL_STATE, email, step: again ? 'sent' : 'begin' };
  if (!isEmail(email)) return { ...before, step: 'begin', errors: { email: 'INVALID_EMAIL' } };
  try {
    await send(email);
    return { ...before, step: 'sent', again };
  } catch (error) {
    return { ...before, errors: toFormErrors(error, 'email') };
  }
}

/** Submits the code that was typed, with a new password if the form has a field for one. */
export async function submitCode(
  fields: FormData,
  submit: (proof: { email: string; code: string }, password: string) => Promise<unknown>,
): Promise<MailFormState> {
  const email = readField(fields, 'email').trim();
  const typed = readField(fields, 'code');
  const code = parseCode(typed);
  const before: MailFormState = { ...INITIAL_STATE, step: 'sent', email, code: typed };
  const errors: FormErrors = { ...(!code && { code: 'CODE_MISSING' }), ...checkNewPassword(fields) };
  if (!code || hasErrors(errors)) return { ...before, errors };
  try {
    await submit({ email, code }, readField(fields, 'password'));
    return { ...before, step: 'done' };
  } catch (error) {
    return { ...before, errors: toFormErrors(error, 'code') };
  }
}

/** Submits the token of a mail's link, with a new password if the form has a field for one. */
export async function submitLink(
  fields: FormData,
  submit: (password: string, fields: FormData) => Promise<unknown>,
): Promise<MailFormState> {
  const errors = checkNewPassword(fields);
  if (hasErrors(errors)) return { ...INITIAL_STATE, errors };
  try {
    await submit(readField(fields, 'password'), fields);
    return { ...INITIAL_STATE, step: 'done' };
  } catch (error) {
    return { ...INITIAL_STATE, errors: toFormErrors(error, 'link') };
  }
}

function checkNewPassword(fields: FormData): FormErrors {
  if (!fields.has('password')) return {};
  const password = readField(fields, 'password');
  if (!password) return { password: 'NEW_PASSWORD_MISSING' };
  return hasPasswordLength(password) ? {} : { password: 'WEAK_PASSWORD' };
}
