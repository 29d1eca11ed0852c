import { z } from 'zod';
import { FACTOR_NAME_LENGTH } from '../names.ts';
import { PRINTABLE, plainText } from './text.ts';

const projectId = plainText.min(1).max(100);
const ticket = plainText.min(1).max(500);
const typedCode = plainText.trim().min(1).max(40);
const bytes = plainText.max(10_000);
const name = z
  .string()
  .trim()
  .min(1)
  .max(FACTOR_NAME_LENGTH)
  .regex(PRINTABLE, 'must not contain control characters');

/** Parses what the Web Authentication API returns in its JSON form, as far as it is read. */
const credentialOf = <T extends z.ZodRawShape>(response: T) =>
  z.object({
    id: plainText.min(1).max(2_000),
    rawId: plainText.min(1).max(2_000),
    type: z.literal('public-key'),
    response: z.object(response),
    clientExtensionResults: z.object({}).default({}),
  });

const assertion = credentialOf({
  clientDataJSON: bytes,
  authenticatorData: bytes,
  signature: bytes,
  userHandle: bytes.optional(),
});

const attestation = credentialOf({
  clientDataJSON: bytes,
  attestationObject: bytes,
  transports: z.array(plainText.max(30)).max(10).optional(),
});

/** The parts of a proof that show a factor: a code of the authenticator app or a recovery code, or a passkey. */
export const factorProofs = { factor: typedCode.optional(), passkey: assertion.optional() };

export const passkeyOptionsQuery = z.object({ projectId });
export const passkeySignInRequest = z.object({ projectId, credential: assertion });

export const ticketRequest = z.object({ ticket });
export const secondStepRequest = z
  .object({ ticket, code: typedCode.optional(), credential: assertion.optional() })
  .refine(
    ({ code, credential }) => (code === undefined) !== (credential === undefined),
    'Either a code or the credential of a passkey is required.',
  );

/** A ticket stands in for a session while a sign-in asks for its first factor. */
export const totpConfirmation = z.object({
  ticket: ticket.optional(),
  setUp: bytes,
  code: typedCode,
  name: name.optional(),
});
export const passkeyRegistration = z.object({
  ticket: ticket.optional(),
  credential: attestation,
  name: name.optional(),
});
export const factorRename = z.strictObject({ name });

/** Shows a passkey, and makes one known: what the Web Authentication API returns, as far as it is read. */
export type PasskeyAssertion = z.infer<typeof assertion>;
export type PasskeyAttestation = z.infer<typeof attestation>;
/** Shows a factor: a code of the authenticator app or a recovery code, or a passkey. */
export type FactorProof = { code: string } | { credential: PasskeyAssertion };
