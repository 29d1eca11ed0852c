import type { User } from '@fabrica/contract';
import { createStoredValue } from '../../browser/stored-value.ts';
import type { StorageLike } from '../../browser/window.ts';
import type { StoredSession, StoredTokens } from '../auth-state.ts';
import { parseTokens, parseUser } from './tokens.ts';

export interface TokenStore {
  /** Returns null if there is no session, or no valid one. */
  read(): StoredSession | null;
  write(session: StoredSession): void;
  clear(): void;
}

export function tokenStorageKey(projectId: string): string {
  return `fabrica_tokens_${projectId}`;
}

/**
 * Stores a session under one key, tokens and user together, so that other tabs see both change at once. Without a
 * storage the session is held in memory. `onWrite` is called after each change that this store makes.
 */
export function createTokenStore(key: string, storage?: StorageLike, onWrite = () => {}): TokenStore {
  const stored = createStoredValue<StoredTokens & { user: User | null }>({
    key,
    storage,
    parse(json) {
      // Tokens without a time of issue count as old: they are refreshed before they are used.
      const tokens = parseTokens(json, 0);
      return tokens && { ...tokens, user: parseUser((json as { user?: unknown }).user) };
    },
  });
  return {
    read() {
      const value = stored.read();
      if (!value) return null;
      const { user, ...tokens } = value;
      return { tokens, user };
    },
    write({ tokens, user }) {
      stored.write({ ...tokens, user });
      onWrite();
    },
    clear() {
      stored.clear();
      onWrite();
    },
  };
}
