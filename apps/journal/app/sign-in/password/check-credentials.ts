import { isAuthErrorCode, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@fabrica/contract';
import type { Messages } from '../../language/load-messages.ts';
import { errorCode } from '../forms/error-code.ts';

export type SignInView = 'sign-in' | 'sign-up';

export interface Credentials {
  email: string;
  password: string;
  displayName: string;
}

/** What is wrong, by the field it is shown beside; `form` for what belongs to none. */
export type Complaints = Partial<Record<'name' | 'email' | 'password' | 'code' | 'form', string>>;

/** Characters of a display name at most. */
export const MAX_NAME_LENGTH = 100;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What can be said before the server is asked; empty when nothing is wrong. */
export function checkCredentials(view: SignInView, credentials: Credentials, m: Messages): Complaints {
  const { email, password, displayName } = credentials;
  const texts = m.signIn;
  const complaints: Complaints = {};
  if (displayName.length > MAX_NAME_LENGTH) complaints.name = texts.nameTooLong;
  if (!EMAIL.test(email)) complaints.email = texts.errors.INVALID_EMAIL;
  if (!password) complaints.password = texts.passwordMissing;
  else if (view === 'sign-up' && !isLongEnough(password)) complaints.password = texts.errors.WEAK_PASSWORD;
  return complaints;
}

function isLongEnough(password: string): boolean {
  const { length } = Array.from(password);
  return length >= PASSWORD_MIN_LENGTH && length <= PASSWORD_MAX_LENGTH;
}

/** The server's refusal in the reader's words (docs/spec/product.md section 8), beside the field it speaks of. */
export function complaintsOf(error: unknown, m: Messages): Complaints {
  const code = errorCode(error);
  const text = m.signIn.errors[isAuthErrorCode(code) ? code : 'default'];
  if (code === 'INVALID_EMAIL' || code === 'EMAIL_ALREADY_EXISTS') return { email: text };
  return code === 'WEAK_PASSWORD' ? { password: text } : { form: text };
}
