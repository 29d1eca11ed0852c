import type { KeyRing } from '../src/core/key-ring.ts';

/** Returns a ring that holds this key alone. */
export function fixedKey(key: Buffer): KeyRing {
  return { current: key, all: [key], reload: async () => undefined };
}
