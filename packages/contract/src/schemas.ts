import { z } from 'zod';

export * from './ai-schemas.ts';
export * from './storage-schemas.ts';

/** What the backend takes as the bodies and queries of calls. */

const MAX_EMAIL_LENGTH = 254;

/** An address as it is stored: trimmed and lower-cased. Anything that is not one fails. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH)
  .pipe(z.email({ error: 'must be an e-mail address' }));

/** No control characters, and none that turn the writing direction of what stands after the name. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u;

const projectId = z.string().min(1).max(100);

/** Blank means none. */
const displayName = z
  .string()
  .trim()
  .max(200)
  .regex(PRINTABLE, 'must not contain control characters')
  .transform((name) => name || null);

const photoUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).max(2_000);

/** Further fields are taken as metadata that nobody keeps; the role is the project's to give. */
export const signUpRequest = z.object({
  projectId,
  email: z.string(),
  password: z.string(),
  displayName: displayName.nullish(),
});

/** An address that is not one belongs to no account; it is not told apart. */
export const signInRequest = z.object({
  projectId,
  email: z.string().trim().toLowerCase().max(MAX_EMAIL_LENGTH),
  password: z.string(),
});

export const refreshRequest = z.object({ refresh_token: z.string().min(1) });

export const signOutRequest = z.object({ refresh_token: z.string().min(1).nullish() }).prefault({});

/** Fields that are not the user's own to set (`role`, `emailVerified`, `id`) fail, like unknown ones. */
export const profileUpdate = z.strictObject({
  displayName: displayName.nullable().optional(),
  photoURL: photoUrl.nullable().optional(),
});

export const providersQuery = z.object({ projectId });

export type SignUpRequest = z.infer<typeof signUpRequest>;
export type SignInRequest = z.infer<typeof signInRequest>;
export type ProfileUpdate = z.infer<typeof profileUpdate>;
