import type { StorageLike } from '../../browser/window.ts';
import type { StoredSession } from '../auth-state.ts';
import { parseTokens, parseUser } from './tokens.ts';

export interface TokenStore {
  /** Null when there is none, or what is there is not ours. */
  read(): StoredSession | null;
  write(session: StoredSession): void;
  clear(): void;
}

export function tokenStorageKey(projectId: string): string {
  return `fabrica_tokens_${projectId}`;
}

/**
 * Keeps a session under one key, tokens and user together, so that other tabs see both change at
 * once. Without a storage, or with one that fails (closed to the page, full), it is kept in memory. `onWrite` is
 * called after each change that is made here.
 */
export function createTokenStore(key: string, storage?: StorageLike, onWrite = () => {}): TokenStore {
  let working = storage;
  let memory: string | null = null;

  function attempt<T>(act: (storage: StorageLike) => T, otherwise: T): T {
    if (!working) return otherwise;
    try {
      return act(working);
    } catch {
      working = undefined;
      return otherwise;
    }
  }

  return {
    read: () => parseSession(attempt((storage) => storage.getItem(key), memory)),
    write({ tokens, user }) {
      const text = JSON.stringify({ ...tokens, user });
      memory = text;
      attempt((storage) => storage.setItem(key, text), undefined);
      onWrite();
    },
    clear() {
      memory = null;
      attempt((storage) => storage.removeItem(key), undefined);
      onWrite();
    },
  };
}

function parseSession(text: string | null): StoredSession | null {
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    // A set that does not say when it was issued is taken to be old: it is refreshed before use.
    const tokens = parseTokens(value, 0);
    return tokens && { tokens, user: parseUser((value as { user?: unknown }).user) };
  } catch {
    return null;
  }
}
