import { createHmac, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@fabrica/contract';
import type { Keys } from '../../../core/keys.ts';
import type { AuthConnection } from '../queries.ts';
import { replaceRecoveryCodes } from './factor-queries.ts';
import { toBase32 } from './totp.ts';

/** 50 bits each, in letters and digits that cannot be taken for one another. */
const LETTERS = 10;

/** Replaces the recovery codes of an account and returns the new ones, in two groups: `ABCDE-FGHIJ`. */
export async function makeRecoveryCodes(
  keys: Keys,
  transaction: AuthConnection,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(LETTERS)).slice(0, LETTERS),
  );
  await replaceRecoveryCodes(
    transaction,
    userId,
    codes.map((code) => hashRecoveryCode(keys.refreshKeys.current, userId, code)),
  );
  return codes.map((code) => `${code.slice(0, LETTERS / 2)}-${code.slice(LETTERS / 2)}`);
}

/** Returns the letters of a recovery code as it was typed, or `undefined` for anything else. */
export function parseRecoveryCode(typed: string): string | undefined {
  const letters = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    // Base32 has none of these digits.
    .replaceAll('0', 'O')
    .replaceAll('1', 'I')
    .replaceAll('8', 'B');
  return /^[A-Z2-7]{10}$/.test(letters) ? letters : undefined;
}

/** Hashes with the server's key: 50 bits could be guessed from a plain hash. */
export function hashRecoveryCode(key: Buffer, userId: string, letters: string): string {
  return createHmac('sha256', key).update(`recovery-code\0${userId}\0${letters}`).digest('base64url');
}
