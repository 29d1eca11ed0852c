import { z } from 'zod';
import { looksLikeEmail } from '../auth.ts';
import { PRINTABLE, plainText } from './text.ts';

const MAX_EMAIL_LENGTH = 254;

/** An e-mail address as it is stored: trimmed and in lower case. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH)
  .pipe(z.email({ error: 'must be an e-mail address' }));

const projectId = plainText.min(1).max(100);

/** A blank name becomes null. An e-mail address is refused. */
const displayName = z
  .string()
  .trim()
  .max(200)
  .regex(PRINTABLE, 'must not contain control characters')
  .refine((name) => !looksLikeEmail(name), 'must be a name, because everybody sees it, and no e-mail address')
  .transform((name) => name || null);

/** An absolute URL, or the path of a file in this backend's storage. */
const photoUrl = z
  .union([z.url({ protocol: /^https?$/ }), z.string().regex(/^\/storage\/[^\s<>"\\]+$/)], {
    error: 'must be an http(s) address',
  })
  .refine((url) => url.length <= 2_000 && url.isWellFormed(), 'must have 2,000 characters at most');

const credential = plainText.min(1).max(2_000);
/** The backend rejects a weak password later, with WEAK_PASSWORD. */
const password = plainText.min(1).max(2_000);
/** An e-mail address as it was typed; the backend rejects an invalid one later, with INVALID_EMAIL. */
const typedEmail = plainText.max(1_000);
/** An e-mail address to look up. An invalid one fails like one without an account. */
const accountEmail = plainText.trim().toLowerCase().min(1).max(MAX_EMAIL_LENGTH);
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).max(2_000);
/** Excludes white space, which browsers skip, and the backslash, which they read as a slash. */
const sitePath = plainText.max(2_000).regex(/^\/(?!\/)[^\s\\\p{Cc}]*$/u, 'must be a path of this site');

/** Other fields are accepted and ignored; the project decides the role. */
export const signUpRequest = z.object({
  projectId,
  email: typedEmail,
  password,
  displayName: displayName.nullish(),
});

export const signInRequest = z.object({ projectId, email: accountEmail, password });

export const refreshRequest = z.object({ refresh_token: credential });

export const signOutRequest = z.object({ refresh_token: credential.nullish() }).prefault({});

/** Rejects unknown fields and those that users cannot set: `role`, `emailVerified`, `id`. */
export const profileUpdate = z.strictObject({
  displayName: displayName.nullable().optional(),
  photoURL: photoUrl.nullable().optional(),
  password: password.optional(),
});

export const providersQuery = z.object({ projectId });

export const mailRequest = z.object({
  projectId,
  email: typedEmail,
  redirectUrl: webUrl.nullish(),
  /** A path on the backend's own pages that the link leads to; used if there is no `redirectUrl`. */
  returnTo: sitePath.nullish(),
});

/** The token of the link in a mail, or the e-mail address with the six-digit code from that mail. */
const proof = {
  projectId,
  token: credential.nullish(),
  email: accountEmail.nullish(),
  code: plainText.trim().max(20).nullish(),
};
const isProof = ({ token, email, code }: { token?: unknown; email?: unknown; code?: unknown }) =>
  Boolean(token || (email && code));
const PROOF_MISSING = 'Either a token, or an email and a code are required.';

export const proofRequest = z.object(proof).refine(isProof, PROOF_MISSING);
export const passwordResetRequest = z.object({ ...proof, password }).refine(isProof, PROOF_MISSING);

export const passwordChange = z.object({ oldPassword: password, newPassword: password });

/** The secret key has no account, so a caller with it must name one. */
export const verificationRequest = z.object({ email: accountEmail.nullish() }).prefault({});

export const completionRequest = z.object({ code: credential });

export type Proof = Omit<z.infer<typeof proofRequest>, 'projectId'>;
export type SignUpRequest = z.infer<typeof signUpRequest>;
export type ProfileUpdate = z.infer<typeof profileUpdate>;
