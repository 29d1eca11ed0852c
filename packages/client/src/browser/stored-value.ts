import type { StorageLike } from './window.ts';

export interface StoredValue<T> {
  /** Undefined when there is none, or what is there is not ours. */
  read(): T | undefined;
  write(value: T): void;
  clear(): void;
}

/** Keeps a value as JSON under a key; in memory where there is no storage, or from when it fails (full, closed). */
export function createStoredValue<T>(
  key: string,
  storage: StorageLike | undefined,
  isValid: (value: unknown) => value is T,
): StoredValue<T> {
  let working = storage;
  let memory: string | null = null;

  function attempt<R>(act: (storage: StorageLike) => R, otherwise: R): R {
    if (!working) return otherwise;
    try {
      return act(working);
    } catch {
      drop(working, key);
      working = undefined;
      return otherwise;
    }
  }

  return {
    read() {
      try {
        const value: unknown = JSON.parse(attempt((open) => open.getItem(key), memory) ?? 'null');
        return isValid(value) ? value : undefined;
      } catch {
        return undefined;
      }
    },
    write(value) {
      memory = JSON.stringify(value);
      const text = memory;
      attempt((open) => open.setItem(key, text), undefined);
    },
    clear() {
      memory = null;
      attempt((open) => open.removeItem(key), undefined);
    },
  };
}

/** A full storage still has the value before, which would come back at the next start. */
function drop(storage: StorageLike, key: string): void {
  try {
    storage.removeItem(key);
  } catch {}
}
