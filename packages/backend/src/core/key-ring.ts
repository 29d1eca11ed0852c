import { seal, unseal } from './seal.ts';

/**
 * Holds a secret key with those that it has replaced. What an earlier one has signed or sealed stays valid, so that nobody is
 * signed out by a rotation. Another process may rotate it: each look finds the keys as they were read last.
 */
export interface KeyRing {
  /** The key that signs and seals. */
  readonly current: Buffer;
  /** The current key, and behind it those that have signed or sealed before, or soon will on other nodes. */
  readonly all: readonly Buffer[];
  /** Reads the keys again. */
  reload(): Promise<void>;
}

/** A key as it is stored, the newest first. */
interface StoredKey {
  /** 32 bytes in base64url. */
  key: string;
  /** When it begins to sign, in epoch ms: by then all nodes have read it. */
  from: number;
}

const KEY_BYTES = 32;

/** Parses the keys of a ring. A key that was never rotated is the whole text. Throws an Error for anything else. */
export function parseKeyRing(text: string): StoredKey[] {
  const { keys } = (text.startsWith('{') ? JSON.parse(text) : { keys: [{ key: text, from: 0 }] }) as {
    keys: StoredKey[];
  };
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('There is no key.');
  for (const { key, from } of keys) {
    if (Buffer.from(key, 'base64url').byteLength !== KEY_BYTES) throw new Error('The key has not 32 bytes.');
    if (!Number.isSafeInteger(from)) throw new Error('The key has no beginning.');
  }
  return keys;
}

/** Returns a ring of the stored keys that `read` returns at each look. */
export function createKeyRing(read: () => readonly StoredKey[], reload: () => Promise<void>): KeyRing {
  const ordered = () => {
    const stored = read();
    const now = Date.now();
    const current = stored.find(({ from }) => from <= now) ?? stored.at(-1);
    const others = stored.filter((one) => one !== current);
    return (current ? [current, ...others] : others).map(({ key }) => Buffer.from(key, 'base64url'));
  };
  return {
    get all() {
      return ordered();
    },
    get current() {
      return ordered()[0] ?? Buffer.alloc(0);
    },
    reload,
  };
}

/** Encrypts a text as `seal` does, with the current key. */
export function sealWith({ current }: Pick<KeyRing, 'current'>, text: string, context: string): string {
  return seal(current, text, context);
}

/** Decrypts a text with the key that it was encrypted with. Throws an Error when it is none of these. */
export function unsealWithKnown({ all }: Pick<KeyRing, 'all'>, sealed: string, context: string): string {
  let failure: unknown;
  for (const key of all) {
    try {
      return unseal(key, sealed, context);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Does the same, and reads the keys again where none is the right one: another process may just have rotated them. */
export async function unsealWith(keys: KeyRing, sealed: string, context: string): Promise<string> {
  try {
    return unsealWithKnown(keys, sealed, context);
  } catch {
    await keys.reload();
    return unsealWithKnown(keys, sealed, context);
  }
}
