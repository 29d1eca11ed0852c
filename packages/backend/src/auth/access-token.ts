import { ACCESS_TOKEN_SECONDS, type AccessTokenClaims, AUTH_ERROR_MESSAGES } from '@fabrica/contract';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { ServiceError } from '../http/errors.ts';
import { type Keys, SIGNING_ALGORITHM } from '../keys.ts';

export interface VerifiedClaims extends AccessTokenClaims {
  /** The session: the family of refresh tokens that this token came with. */
  sid: string;
  /** Seconds since the epoch. */
  exp: number;
}

const verifiedClaims = z.object({
  sub: z.string().min(1),
  email: z.string(),
  project_id: z.string().min(1),
  role: z.string(),
  type: z.literal('access'),
  sid: z.string(),
  exp: z.number(),
});

export function signAccessToken(
  keys: Keys,
  { sub, ...claims }: Omit<VerifiedClaims, 'exp' | 'type'>,
): Promise<string> {
  return new SignJWT({ ...claims, type: 'access' })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keys.kid, typ: 'JWT' })
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
    .sign(keys.signingKey);
}

/** Throws TOKEN_EXPIRED for one of ours whose time is over, UNAUTHENTICATED for any other that is not good. */
export async function verifyAccessToken(keys: Keys, token: string): Promise<VerifiedClaims> {
  try {
    // The algorithm is ours to say, never the token's.
    const { payload } = await jwtVerify(token, keys.verificationKey, {
      algorithms: [SIGNING_ALGORITHM],
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    return verifiedClaims.parse(payload);
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw expiredToken(cause);
    throw invalidToken(cause);
  }
}

export function expiredToken(cause?: unknown): ServiceError {
  return new ServiceError('TOKEN_EXPIRED', AUTH_ERROR_MESSAGES.TOKEN_EXPIRED, { cause });
}

export function invalidToken(cause?: unknown): ServiceError {
  return new ServiceError('UNAUTHENTICATED', 'The token is not valid here. Please sign in again.', { cause });
}
