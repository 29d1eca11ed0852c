import type { StorageLike } from './window.ts';

export interface StoredValue<T> {
  /** Returns undefined if there is no value, or no valid one. */
  read(): T | undefined;
  write(value: T): void;
  clear(): void;
}

interface StoredValueOptions<T> {
  key: string;
  storage: StorageLike | undefined;
  /** Returns the value for parsed JSON, or null if it is not valid. */
  parse: (json: unknown) => T | null;
  /** Removes the value when the storage fails: a full storage would return the old value with the next page. */
  clearOnFailure?: boolean;
}

/**
 * Stores a value as JSON under a key. Without a storage the value is held in memory, and also after the storage has
 * failed: it may be full, or closed to the page.
 */
export function createStoredValue<T>({
  key,
  storage,
  parse,
  clearOnFailure,
}: StoredValueOptions<T>): StoredValue<T> {
  let working = storage;
  let memory: string | null = null;

  function attempt<R>(act: (storage: StorageLike) => R, fallback: R): R {
    if (!working) return fallback;
    try {
      return act(working);
    } catch {
      if (clearOnFailure) tryRemove(working, key);
      working = undefined;
      return fallback;
    }
  }

  return {
    read() {
      const text = attempt((open) => open.getItem(key), memory);
      try {
        return parse(JSON.parse(text ?? 'null')) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(value) {
      const text = JSON.stringify(value);
      memory = text;
      attempt((open) => open.setItem(key, text), undefined);
    },
    clear() {
      memory = null;
      attempt((open) => open.removeItem(key), undefined);
    },
  };
}

function tryRemove(storage: StorageLike, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // A storage that is closed to the page holds nothing to remove.
  }
}
