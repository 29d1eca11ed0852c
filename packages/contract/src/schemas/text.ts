import { z } from 'zod';

/** Matches one line of text without control characters and without marks that change the writing direction. */
export const PRINTABLE = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u;

/** Text that every database and every hash accepts: without NUL and without half of a surrogate pair. */
export const plainText = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not contain NUL or broken characters');

export const languageTag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language such as en or pt-BR');

/** Returns a schema of texts that are not blank; `message` is the error for all others. */
export const requiredText = (max: number, message: string) =>
  z
    .string({ error: message })
    .max(max)
    .refine((text) => text.trim() !== '', message);
