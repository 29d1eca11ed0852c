import { type AccessTokenClaims, AUTH_ERROR_MESSAGES } from '@fabrica/contract';
import { type CryptoKey, errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { type Keys, SIGNING_ALGORITHM } from '../../../core/keys.ts';

/** Access tokens name the origin of the server as their issuer and their project as their audience. */
interface TokenIssuer {
  issuer: string;
  /**
   * Seconds since the epoch. Tokens of earlier versions name neither; they were issued before this server started, and are
   * accepted until they expire.
   */
  since: number;
}

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
  iss: z.string().optional(),
  aud: z.string().optional(),
});

/** Seconds by which the clocks of two nodes may differ. */
const CLOCK_TOLERANCE = 5;

export async function signAccessToken(
  keys: Keys,
  { sub, ...claims }: Omit<VerifiedClaims, 'exp' | 'type' | 'kid'>,
  { issuer, seconds }: { issuer: string; seconds: number },
): Promise<string> {
  const { kid, key } = await keys.signer();
  return new SignJWT({ ...claims, type: 'access' })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(claims.project_id)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(`${seconds}s`)
    .sign(key);
}

/**
 * Returns the claims of an access token. Throws `TOKEN_EXPIRED` for an expired token of ours, and
 * `UNAUTHENTICATED` for any other that is not valid.
 */
export async function verifyAccessToken(
  keys: Keys,
  token: string,
  { issuer, since }: TokenIssuer,
): Promise<VerifiedClaims> {
  try {
    // The algorithm is fixed here; the token must not choose it.
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyOfName(keys, kid), {
      algorithms: [SIGNING_ALGORITHM],
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    const { iss, aud, ...claims } = verifiedClaims.parse(payload);
    const isOfEarlierVersion = iss === undefined && aud === undefined && claims.iat < since;
    const isMeant = iss === issuer && aud === claims.project_id;
    if (!isMeant && !isOfEarlierVersion) throw new Error('The token is for another server or project.');
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

/**
 * Returns the issuer of a server's tokens: its origin. On localhost the port does not count, because nodes that share a
 * database without a PUBLIC_URL have one each.
 */
export function issuerOf(publicUrl: string): string {
  const { hostname, protocol } = new URL(publicUrl);
  return hostname === 'localhost' ? `${protocol}//${hostname}` : publicUrl;
}
