import { LRUCache } from 'lru-cache';
import type { Database } from '../../../database/port.ts';
import type { PlainResponse } from '../../../http/plain-exchange.ts';
import type { CacheUsage } from '../../../runtime/meter.ts';
import { VersionedCache } from '../../../runtime/versioned-cache.ts';
import { whenReady } from './read-page.ts';

/** Bytes of all cached responses and their keys, before compression. */
const MAX_BYTES = 8_000_000;
/** A larger response is not cached: it would push out most others. */
const MAX_RESPONSE_BYTES = MAX_BYTES / 4;
/** Characters. */
const MAX_KEY_LENGTH = 2_000;
const MAX_REQUESTED_KEYS = 1_000;

/** A response as it is stored. */
type CachedResponse = PlainResponse & { body: Buffer };

type Read = () => PlainResponse | Promise<PlainResponse>;

/** Caches responses from their second request until the next commit. */
export interface ResponseCache {
  readonly usage: CacheUsage;
  /**
   * Returns the cached response of this key, or calls `read`. The key contains everything that the response depends on
   * besides the rows, above all the caller.
   */
  respond(key: string, read: Read): PlainResponse | Promise<PlainResponse>;
}

export function createResponseCache(database: Pick<Database, 'version'>): ResponseCache {
  /** Most responses are requested once: they would push out the ones that are requested again. */
  const requestedKeys = new LRUCache<string, true>({ max: MAX_REQUESTED_KEYS });
  const cache = new VersionedCache<CachedResponse>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ body }, key) => key.length + body.byteLength,
    version: () => database.version(),
  });

  return {
    get usage() {
      return cache.usage;
    },
    respond(key, read) {
      if (key.length > MAX_KEY_LENGTH) return read();
      const cached = cache.peek(key);
      if (cached) return cached;
      if (!requestedKeys.has(key)) {
        requestedKeys.set(key, true);
        return read();
      }
      const store = cache.begin();
      return whenReady(read(), (response) => {
        if (response.body.length > MAX_RESPONSE_BYTES) return response;
        // The stored object is returned this time too, so that its compressed form is made once.
        const stored = { ...response, body: Buffer.from(response.body) };
        store(key, stored);
        return stored;
      });
    },
  };
}
