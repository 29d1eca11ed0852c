import { z } from 'zod';
import { asciiEmail, EMAIL } from '../email.ts';
import { nameFault, normalizeName } from '../names.ts';
import { factorProofs } from './factors.ts';
import { plainText } from './text.ts';

const MAX_EMAIL_LENGTH = 254;

/** An e-mail address as it is stored: trimmed, in lower case, and with its domain in ASCII. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .transform(asciiEmail)
  .pipe(z.email({ pattern: EMAIL, error: 'must be an e-mail address' }).max(MAX_EMAIL_LENGTH));

const projectId = plainText.min(1).max(100);

/** A name in its normal form; a blank one becomes null. One that is an e-mail address, or reads as another, is refused. */
const displayName = z
  .string()
  .trim()
  .max(200)
  .refine(
    (name) => nameFault(name) !== 'email',
    'must be a name, because everybody sees it, and no e-mail address',
  )
  .refine(
    (name) => nameFault(name) !== 'unclear',
    'must have each word in one alphabet, and no control characters',
  )
  .transform(normalizeName)
  .pipe(z.string().max(200))
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
const accountEmail = plainText.trim().toLowerCase().min(1).max(MAX_EMAIL_LENGTH).transform(asciiEmail);
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

/**
 * Shows that the owner makes a call: the current password, or the code of a mail that was asked for with `/proof/send`; where
 * the account has a second factor, that factor.
 */
export const freshProof = z
  .strictObject({
    password: password.optional(),
    code: plainText.trim().min(1).max(20).optional(),
    ...factorProofs,
  })
  .refine(
    (proof) => Object.values(proof).some(Boolean),
    'Either the current password, a code or a passkey is required.',
  );

/** The body of calls that want nothing but a proof. */
export const provenRequest = z.object({ proof: freshProof.optional() }).prefault({});

/** The same, or the ticket of a sign-in that asks for the first factor. */
export const provenSetUp = z
  .object({ proof: freshProof.optional(), ticket: plainText.min(1).max(500).optional() })
  .prefault({});

/** Rejects unknown fields and those that users cannot set: `role`, `emailVerified`, `id`. */
export const profileUpdate = z.strictObject({
  displayName: displayName.nullable().optional(),
  photoURL: photoUrl.nullable().optional(),
  password: password.optional(),
  /** Required with a password. */
  proof: freshProof.optional(),
});

export const providersQuery = z.object({ projectId });

export const mailRequest = z.object({
  projectId,
  email: typedEmail,
  /** A page of an allowed origin. The link in the mail passes its unused token to that page. */
  redirectUrl: webUrl.nullish(),
  /** A path on the backend's own pages that the link leads to; used if there is no `redirectUrl`. */
  returnTo: sitePath.nullish(),
});

/** The token of the link in a mail, or the e-mail address with the code from that mail. */
const proof = {
  projectId,
  token: credential.nullish(),
  email: accountEmail.nullish(),
  code: plainText.trim().max(20).nullish(),
};
const isProof = ({ token, email, code }: { token?: unknown; email?: unknown; code?: unknown }) =>
  Boolean(token || (email && code));
const PROOF_MISSING = 'Either a token, or an email and a code are required.';

/**
 * Says what becomes of the password of an account whose e-mail address was never verified, when a mail proves it without a
 * session of the account. The present `password` keeps everything; else all of before ends, and `newPassword` is the
 * account's from then on. With `askFirst` the call is refused where a password would end.
 */
const emailClaim = {
  password: password.nullish(),
  newPassword: password.nullish(),
  askFirst: z.boolean().nullish(),
};
/** Proves an e-mail address, to verify it or to sign in. */
export const proofRequest = z.object({ ...proof, ...emailClaim }).refine(isProof, PROOF_MISSING);
export const passwordResetRequest = z.object({ ...proof, password }).refine(isProof, PROOF_MISSING);

export const passwordChange = z
  .object({ oldPassword: password.optional(), proof: freshProof.optional(), newPassword: password })
  .refine(
    ({ oldPassword, proof }) => oldPassword ?? proof,
    'Either the old password or a proof is required.',
  );

/** The secret key has no account, so a caller with it must name one. */
export const verificationRequest = z.object({ email: accountEmail.nullish() }).prefault({});

export const completionRequest = z.object({ code: credential });

export const peopleQuery = z.object({
  search: plainText.trim().max(200).optional(),
  cursor: plainText.max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const roleChange = z.strictObject({ role: plainText.min(1).max(100), proof: freshProof.optional() });

export type FreshProof = z.infer<typeof freshProof>;
/** The ways in which an account can give such a proof; a call that misses one names them in its `details.proofs`. */
export type ProofKind = keyof FreshProof;
export type Proof = Omit<z.infer<z.ZodObject<typeof proof>>, 'projectId'>;
export type EmailClaim = z.infer<z.ZodObject<typeof emailClaim>>;
export type MailRequest = z.input<typeof mailRequest>;
export type SignUpDetails = Omit<z.input<typeof signUpRequest>, 'projectId'>;
export type SignUpRequest = z.infer<typeof signUpRequest>;
export type ProfileUpdate = z.infer<typeof profileUpdate>;
