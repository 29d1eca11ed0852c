import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../../core/keys.ts';
import type { AuthConnection } from '../queries.ts';

/** Milliseconds in which a challenge has to be answered. */
const LIFETIME_MS = 10 * 60_000;
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const SIGNED_BYTES = RANDOM_BYTES + TIME_BYTES;

/** Names what a challenge is for. A response to one of another project, purpose or account is worth nothing. */
export interface ChallengeScope {
  projectId: string;
  purpose: 'sign-in' | 'second-step' | 'proof' | 'registration';
  /** The account; empty for a sign-in, which names none. */
  userId: string;
}

/**
 * Makes a challenge that carries its own end and signature. Nothing is stored, so that asking for many of them, as every
 * visitor of the sign-in page does, costs nothing.
 */
export function makeChallenge(
  keys: Pick<Keys, 'refreshKeys'>,
  scope: ChallengeScope,
): Uint8Array<ArrayBuffer> {
  const signed = Buffer.alloc(SIGNED_BYTES);
  randomBytes(RANDOM_BYTES).copy(signed);
  signed.writeUIntBE(Date.now() + LIFETIME_MS, RANDOM_BYTES, TIME_BYTES);
  return new Uint8Array(Buffer.concat([signed, sign(keys.refreshKeys.current, scope, signed)]));
}

/** Returns whether this is a challenge of ours for this scope, in time and for the first time. */
export async function spendChallenge(
  keys: Pick<Keys, 'refreshKeys'>,
  connection: AuthConnection,
  scope: ChallengeScope,
  challenge: string,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url');
  const signed = bytes.subarray(0, SIGNED_BYTES);
  const signature = bytes.subarray(SIGNED_BYTES);
  const isOf = (key: Buffer) => {
    const expected = sign(key, scope, signed);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  };
  if (!keys.refreshKeys.all.some(isOf)) return false;
  const now = Date.now();
  const expires_at = signed.readUIntBE(RANDOM_BYTES, TIME_BYTES);
  if (expires_at <= now) return false;
  const first = await connection
    .insertInto('one_time_tokens')
    .values({
      token_hash: hash('sha256', `challenge\0${bytes.toString('base64url')}`, 'base64url'),
      kind: 'spent-challenge',
      tries_left: 0,
      created_at: now,
      expires_at,
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  return first !== undefined;
}

function sign(key: Buffer, { projectId, purpose, userId }: ChallengeScope, signed: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update(`passkey-challenge\0${projectId}\0${purpose}\0${userId}\0`)
    .update(signed)
    .digest();
}
