import { createHmac } from 'node:crypto';
import { sealWith, unsealWithKnown } from '../core/key-ring.ts';
import type { Keys } from '../core/keys.ts';

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
export function createMailSeal({ refreshKeys }: Pick<Keys, 'refreshKeys'>): MailSeal {
  const derive = (key: Buffer) => createHmac('sha256', key).update('outbox').digest();
  return {
    seal: (text, mailId) => PREFIX + sealWith({ current: derive(refreshKeys.current) }, text, mailId),
    unseal(stored, mailId) {
      if (!isSealed(stored)) return stored;
      return unsealWithKnown({ all: refreshKeys.all.map(derive) }, stored.slice(PREFIX.length), mailId);
    },
  };
}

export function isSealed(stored: string): boolean {
  return stored.startsWith(PREFIX);
}
