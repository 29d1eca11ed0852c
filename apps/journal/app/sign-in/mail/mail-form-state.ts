import { endsPassword } from '@fabrica/client';
import { data } from 'react-router';
import { type FormErrors, hasErrors, toFormErrors } from '../forms/form-errors.ts';
import { hasPasswordLength, isEmail, parseCode, readField } from '../forms/form-fields.ts';

/** Describes how far a form with a mail has come. The server and the browser take the same steps. */
export interface MailFormState {
  /**
   * `sent` means that a mail was requested and its code can be typed; `claim` that the mail proves the address of an account
   * whose password would end, unless the reader knows it.
   */
  step: 'begin' | 'sent' | 'claim' | 'done';
  /** The email as it was typed. */
  email: string;
  /** The code as it was typed. */
  code: string;
  /** Whether the mail was requested once more. */
  again: boolean;
  /** What has become of the password, once that was asked. */
  password?: 'kept' | 'new' | 'ended' | undefined;
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
  const step = isClaim(fields) ? 'claim' : 'sent';
  const before: MailFormState = { ...INITIAL_STATE, step, email, code: typed };
  const errors: FormErrors = { ...(!code && { code: 'CODE_MISSING' }), ...checkNewPassword(fields) };
  if (!code || hasErrors(errors)) return { ...before, errors };
  try {
    await submit({ email, code }, readField(fields, 'password'));
    return { ...before, step: 'done' };
  } catch (error) {
    if (endsPassword(error)) return { ...before, step: 'claim' };
    return { ...before, errors: toFormErrors(error, 'code') };
  }
}

/** Submits the token of a mail's link, with a new password if the form has a field for one. */
export async function submitLink(
  fields: FormData,
  submit: (password: string, fields: FormData) => Promise<unknown>,
): Promise<MailFormState> {
  const before: MailFormState = { ...INITIAL_STATE, step: isClaim(fields) ? 'claim' : 'begin' };
  const errors = checkNewPassword(fields);
  if (hasErrors(errors)) return { ...before, errors };
  try {
    await submit(readField(fields, 'password'), fields);
    return { ...before, step: 'done', ...(isClaim(fields) && { password: passwordAfter(fields) }) };
  } catch (error) {
    if (endsPassword(error)) return { ...before, step: 'claim' };
    return { ...before, errors: toFormErrors(error, 'link') };
  }
}

/** Responds to a form with its state. The status is for readers without JavaScript, whose page it is. */
export function respondWith(state: MailFormState) {
  return data(state, { status: hasErrors(state.errors) ? 400 : 200 });
}

function isClaim(fields: FormData): boolean {
  return fields.has('ownPassword');
}

function passwordAfter(fields: FormData): MailFormState['password'] {
  if (readField(fields, 'password')) return 'new';
  return readField(fields, 'ownPassword') ? 'kept' : 'ended';
}

function checkNewPassword(fields: FormData): FormErrors {
  if (!fields.has('password')) return {};
  const password = readField(fields, 'password');
  if (!password && isClaim(fields)) return {};
  if (!password) return { password: 'NEW_PASSWORD_MISSING' };
  return hasPasswordLength(password) ? {} : { password: 'WEAK_PASSWORD' };
}
