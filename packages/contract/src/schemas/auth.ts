import { z } from 'zod';

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

/** Text that every database and every hash takes as it is: no NUL, no half of a surrogate pair. */
const plainText = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not contain NUL or broken characters');

const projectId = plainText.min(1).max(100);

/** Blank means none. */
const displayName = z
  .string()
  .trim()
  .max(200)
  .regex(PRINTABLE, 'must not contain control characters')
  .transform((name) => name || null);

/** Whole, or the path of a file of ours. */
const photoUrl = z
  .union([z.url({ protocol: /^https?$/ }), z.string().regex(/^\/storage\/[^\s<>"\\]+$/)], {
    error: 'must be an http(s) address',
  })
  .refine(
    (address) => address.length <= 2_000 && address.isWellFormed(),
    'must have 2,000 characters at most',
  );

const credential = plainText.min(1).max(2_000);
/** Whether it is a good one is said as WEAK_PASSWORD, not by this. */
const password = plainText.min(1).max(2_000);
/** An address as somebody typed it; whether it is one is said as INVALID_EMAIL, not by this. */
const typedAddress = plainText.max(1_000);
/** An address that is looked up: one that is none belongs to no account, and is not told apart. */
const knownAddress = plainText.trim().toLowerCase().min(1).max(MAX_EMAIL_LENGTH);
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).max(2_000);
/** Browsers skip white space and read a backslash as a slash: what follows the first slash could be another site's. */
const ownPath = plainText.max(2_000).regex(/^\/(?!\/)[^\s\\\p{Cc}]*$/u, 'must be a path of this site');

/** Further fields are taken as metadata that nobody keeps; the role is the project's to give. */
export const signUpRequest = z.object({
  projectId,
  email: typedAddress,
  password,
  displayName: displayName.nullish(),
});

export const signInRequest = z.object({ projectId, email: knownAddress, password });

export const refreshRequest = z.object({ refresh_token: credential });

export const signOutRequest = z.object({ refresh_token: credential.nullish() }).prefault({});

/** Fields that are not the user's own to set (`role`, `emailVerified`, `id`) fail, like unknown ones. */
export const profileUpdate = z.strictObject({
  displayName: displayName.nullable().optional(),
  photoURL: photoUrl.nullable().optional(),
  password: password.optional(),
});

export const providersQuery = z.object({ projectId });

export const mailRequest = z.object({
  projectId,
  email: typedAddress,
  redirectUrl: webAddress.nullish(),
  /** Where on our own pages the link leads on to; used when there is no `redirectUrl`. */
  returnTo: ownPath.nullish(),
});

/** The token of a mail's link, or the address and the six-digit code that stands beside it. */
const proof = {
  projectId,
  token: credential.nullish(),
  email: knownAddress.nullish(),
  code: plainText.trim().max(20).nullish(),
};
const isProof = ({ token, email, code }: { token?: unknown; email?: unknown; code?: unknown }) =>
  Boolean(token || (email && code));
const PROOF_MISSING = 'Either a token, or an email and a code are required.';

export const proofRequest = z.object(proof).refine(isProof, PROOF_MISSING);
export const passwordResetRequest = z.object({ ...proof, password }).refine(isProof, PROOF_MISSING);

export const passwordChange = z.object({ oldPassword: password, newPassword: password });

/** The secret key has no account of its own: it names the one that is meant. */
export const verificationRequest = z.object({ email: knownAddress.nullish() }).prefault({});

export const completionRequest = z.object({ code: credential });

export type Proof = Omit<z.infer<typeof proofRequest>, 'projectId'>;
export type SignUpRequest = z.infer<typeof signUpRequest>;
export type ProfileUpdate = z.infer<typeof profileUpdate>;
