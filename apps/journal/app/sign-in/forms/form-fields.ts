import type { EmailClaim } from '@fabrica/client';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@fabrica/contract';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** Mails and keyboards put these between digits: spaces of any kind, dashes, dots and invisible marks. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}.·]/gu;

/** Returns the fields of a form that was posted to a page; there are none when the body is not a form. */
export async function readFormData(request: Request): Promise<FormData> {
  return request.formData().catch(() => new FormData());
}

/** Returns the text of a field; it is empty when the field is missing or holds a file. */
export function readField(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

/**
 * Returns what a form says about the password of an account that a mail proves. The first form of a page has no field for
 * it, and asks whether one would end.
 */
export function readClaim(fields: FormData): EmailClaim {
  if (!fields.has('ownPassword')) return { askFirst: true };
  const password = readField(fields, 'ownPassword') || undefined;
  return { password, newPassword: readField(fields, 'password') || undefined };
}

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Tells whether a new password has an allowed number of characters, where an emoji counts as one. */
export function hasPasswordLength(password: string): boolean {
  const { length } = Array.from(password);
  return length >= PASSWORD_MIN_LENGTH && length <= PASSWORD_MAX_LENGTH;
}

/**
 * Returns the digits of what was typed or pasted (`123 456`, `123-456`), or null when there are neither six nor eight, which
 * codes have while somebody guesses at an account.
 */
export function parseCode(typed: string): string | null {
  const digits = typed.normalize('NFKC').replace(SEPARATORS, '');
  return /^(?:\d{6}|\d{8})$/.test(digits) ? digits : null;
}
