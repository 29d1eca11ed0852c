import { type AccessTokenClaims, AUTH_ERROR_MESSAGES } from '@fabrica/contract';
import { type CryptoKey, errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { type Keys, SIGNING_ALGORITHM } from '../../../core/keys.ts';

export interface VerifiedClaims extends AccessTokenClaims {
  /** The session, which is the family of refresh tokens that this token came with. */
  sid: string;
  /** Seconds since the epoch. */
  exp: number;
  /** The id of the key that signed it. */
  kid: string;
}

const verifiedClaims = z.object({
  sub: z.string().min(1),
  email: z.string(),
  project_id: z.string().min(1),
  role: z.string(),
  type: z.literal('access'),
  sid: z.string(),
  iat: z.number(),
  exp: z.number(),
});

/** Seconds by which the clocks of two nodes may differ. */
const CLOCK_TOLERANCE = 5;

export async function signAccessToken(
  keys: Keys,
  { sub, ...claims }: Omit<VerifiedClaims, 'exp' | 'type' | 'kid'>,
  seconds: number,
): Promise<string> {
  const { kid, key } = await keys.signer();
  return new SignJWT({ ...claims, type: 'access' })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'JWT' })
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(`${seconds}s`)
    .sign(key);
}

/**
 * Returns the claims of an access token. Throws `TOKEN_EXPIRED` for an expired token of ours, and
 * `UNAUTHENTICATED` for any other that is not valid.
 */
export async function verifyAccessToken(keys: Keys, token: string): Promise<VerifiedClaims> {
  try {
    // The algorithm is fixed here; the token must not choose it.
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyOfName(keys, kid), {
      algorithms: [SIGNING_ALGORITHM],
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    const claims = verifiedClaims.parse(payload);
    if (claims.iat > Date.now() / 1_000 + CLOCK_TOLERANCE) throw new Error('The token is of the future.');
    return { ...claims, kid: protectedHeader.kid ?? '' };
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw expiredToken(cause);
    throw invalidToken(cause);
  }
}

async function keyOfName(keys: Keys, kid: string | undefined): Promise<CryptoKey> {
  const key = await keys.verifier(kid);
  if (!key) throw new Error('No key of ours has this name.');
  return key;
}

export function expiredToken(cause?: unknown): AppError {
  return new AppError('TOKEN_EXPIRED', AUTH_ERROR_MESSAGES.TOKEN_EXPIRED, { cause });
}

export function invalidToken(cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', 'The token is not valid here. Please sign in again.', { cause });
}
