import { LRUCache } from 'lru-cache';
import type { CacheUsage } from './meter.ts';

export interface VersionedCacheOptions<Value extends {}> {
  /** Bytes of all entries together; a value that is larger alone is not stored. */
  maxBytes: number;
  /** Returns the bytes that an entry counts for: at least 1. */
  bytesOf(value: Value, key: string): number;
  /**
   * Returns a number that changes with the data behind the entries, or `undefined` while nobody can tell: then nothing
   * is cached. It is called at every use.
   */
  version(): number | undefined;
}

/**
 * Holds values by key in bounded memory, which are dropped all together when the version changes. When the memory is
 * full, the least recently used entries are dropped.
 */
export class VersionedCache<Value extends {}> {
  readonly #entries: LRUCache<string, Value>;
  readonly #currentVersion: () => number | undefined;
  #version: number | undefined;
  /** Grows whenever entries are dropped because they are stale. */
  #invalidations = 0;
  #hits = 0;
  #misses = 0;

  constructor({ maxBytes, bytesOf, version }: VersionedCacheOptions<Value>) {
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf });
    this.#currentVersion = version;
    this.#version = version();
  }

  /** Look-ups with and without a value so far, and the bytes of all entries. */
  get usage(): CacheUsage {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#entries.calculatedSize };
  }

  get(key: string): Value | undefined {
    this.#checkVersion();
    return this.#count(this.#entries.get(key));
  }

  /**
   * Returns the value as `get` does, without counting it as used: entries that are only peeked at leave oldest first.
   */
  peek(key: string): Value | undefined {
    this.#checkVersion();
    return this.#count(this.#entries.peek(key));
  }

  /**
   * Must be called before the value is read from its source. The returned function stores the value, unless entries
   * became stale in between: then the value may be stale as well.
   */
  begin(): (key: string, value: Value) => void {
    this.#checkVersion();
    const begun = this.#invalidations;
    return (key, value) => {
      this.#checkVersion();
      if (this.#version !== undefined && this.#invalidations === begun) this.#entries.set(key, value);
    };
  }

  /** Drops the entries that match, and has those that were begun before not be stored. */
  invalidate(matches: (value: Value) => boolean): void {
    this.#invalidations += 1;
    for (const [key, value] of this.#entries.entries()) if (matches(value)) this.#entries.delete(key);
  }

  #count(value: Value | undefined): Value | undefined {
    if (value === undefined) this.#misses += 1;
    else this.#hits += 1;
    return value;
  }

  #checkVersion(): void {
    const version = this.#currentVersion();
    if (version === this.#version) return;
    this.#version = version;
    this.#invalidations += 1;
    this.#entries.clear();
  }
}
