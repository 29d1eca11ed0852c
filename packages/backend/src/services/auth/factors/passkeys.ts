import type { PasskeyOptions } from '@fabrica/contract';
import type { PasskeyAssertion, PasskeyAttestation } from '@fabrica/contract/schemas';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Project } from '../../../database/project.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { authReader, authWriter, type UserRow } from '../queries.ts';
import { type ChallengeScope, makeChallenge, spendChallenge } from './challenge.ts';
import { type FactorRow, findPasskey, listFactors, usePasskey } from './factor-queries.ts';

type PasskeyContext = Pick<AuthContext, 'keys' | 'publicUrl'>;
type Purpose = ChallengeScope['purpose'];

/** Ed25519, ES256 and RS256: what passkeys sign with. */
const ALGORITHMS = [-8, -7, -257];

/** Returns the options with which a browser makes a passkey of the account. */
export async function registrationOptions(
  { keys, publicUrl }: PasskeyContext,
  project: Project,
  user: UserRow,
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await loadLibrary();
  const { hostname } = new URL(publicUrl);
  const known = await listFactors(authReader(project.database), user.id);
  const options = await generateRegistrationOptions({
    rpName: hostname,
    rpID: hostname,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.display_name ?? user.email,
    challenge: makeChallenge(keys, scopeOf(project, 'registration', user.id)),
    excludeCredentials: known.flatMap(toDescriptor),
    // It is found without an e-mail, and unlocked by its owner: so it is a first and a second factor at once.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { ...options };
}

type NewPasskey = Pick<FactorRow, 'credential_id' | 'public_key' | 'counter' | 'transports'>;

/** Returns the passkey that a browser has made. Throws `SECOND_FACTOR_FAILED`. */
export async function verifyRegistration(
  { keys, publicUrl }: PasskeyContext,
  project: Project,
  user: UserRow,
  credential: PasskeyAttestation,
): Promise<NewPasskey> {
  if (isFramed(credential)) refuse();
  const { verifyRegistrationResponse } = await loadLibrary();
  const scope = scopeOf(project, 'registration', user.id);
  const { origin, hostname } = new URL(publicUrl);
  const { registrationInfo } = await verifyRegistrationResponse({
    response: credential as RegistrationResponseJSON,
    expectedChallenge: (challenge) => spendChallenge(keys, authWriter(project.database), scope, challenge),
    expectedOrigin: origin,
    expectedRPID: hostname,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse);
  if (!registrationInfo) return refuse();
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: JSON.stringify(credential.response.transports ?? []),
  };
}

/** Returns the options with which a browser shows a passkey: any of this site, or one of the account. */
export async function authenticationOptions(
  { keys, publicUrl }: PasskeyContext,
  project: Project,
  purpose: Exclude<Purpose, 'registration'>,
  userId = '',
): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const known = userId ? await listFactors(authReader(project.database), userId) : [];
  const options = await generateAuthenticationOptions({
    rpID: new URL(publicUrl).hostname,
    challenge: makeChallenge(keys, scopeOf(project, purpose, userId)),
    allowCredentials: known.flatMap(toDescriptor),
    userVerification: 'required',
  });
  return { ...options };
}

/**
 * Returns the passkey that was shown for this purpose, once its signature, origin, challenge and counter are good and its
 * owner has unlocked it. With a `userId` it has to be that account's. Throws `SECOND_FACTOR_FAILED`.
 */
export async function verifyPasskey(
  { keys, publicUrl }: PasskeyContext,
  project: Project,
  {
    purpose,
    userId = '',
    credential,
  }: { purpose: Exclude<Purpose, 'registration'>; userId?: string; credential: PasskeyAssertion },
): Promise<FactorRow> {
  if (isFramed(credential)) refuse();
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { userHandle } = credential.response;
  const known = await findPasskey(authReader(project.database), credential.id);
  if (!known?.public_key || !known.credential_id) return refuse();
  if (userId && known.user_id !== userId) return refuse();
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== known.user_id) return refuse();
  const scope = scopeOf(project, purpose, userId);
  const { origin, hostname } = new URL(publicUrl);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: credential as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => spendChallenge(keys, authWriter(project.database), scope, challenge),
    expectedOrigin: origin,
    expectedRPID: hostname,
    credential: {
      id: known.credential_id,
      publicKey: new Uint8Array(Buffer.from(known.public_key, 'base64url')),
      counter: Number(known.counter),
    },
  }).catch(refuse);
  // Of two uses at once with one count, the database accepts one.
  const isUsed =
    verified && (await usePasskey(authWriter(project.database), known.id, authenticationInfo.newCounter));
  return isUsed ? known : refuse();
}

function scopeOf({ definition }: Project, purpose: Purpose, userId: string): ChallengeScope {
  return { projectId: definition.id, purpose, userId };
}

function toDescriptor({ credential_id, transports }: FactorRow) {
  if (credential_id === null) return [];
  return [{ id: credential_id, transports: JSON.parse(transports ?? '[]') as string[] }];
}

/** Tells whether a page of another site may have laid something over the question, as a browser says or cannot be read to say. */
function isFramed({ response }: PasskeyAttestation | PasskeyAssertion): boolean {
  try {
    const clientData = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return Boolean(clientData.crossOrigin);
  } catch {
    return true;
  }
}

/** The reason stays here: it would help nobody but somebody who tries. */
function refuse(): never {
  throw authError('SECOND_FACTOR_FAILED');
}

/** Loads the library with the first passkey: its parsers of certificates take memory that others need not give. */
function loadLibrary(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server');
}
