import { createHmac } from 'node:crypto';
import type { Keys } from '../core/keys.ts';
import { seal, unseal } from '../core/seal.ts';

const PREFIX = 'sealed:';

/**
 * Encrypts what the outbox stores: a waiting mail contains links and codes that sign in, and its database file may be
 * copied, or read from a disk that was thrown away.
 */
export interface MailSeal {
  seal(text: string, mailId: string): string;
  /** Decrypts a text. Returns one that an older version has stored as it is. */
  unseal(stored: string, mailId: string): string;
}

/** The key goes into backups, so that restored mails can be sent. */
export function createMailSeal({ refreshKey }: Pick<Keys, 'refreshKey'>): MailSeal {
  const key = createHmac('sha256', refreshKey).update('outbox').digest();
  return {
    seal: (text, mailId) => PREFIX + seal(key, text, mailId),
    unseal: (stored, mailId) =>
      isSealed(stored) ? unseal(key, stored.slice(PREFIX.length), mailId) : stored,
  };
}

export function isSealed(stored: string): boolean {
  return stored.startsWith(PREFIX);
}
