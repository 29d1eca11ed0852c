import { LRUCache } from 'lru-cache';
import type { Database } from '../../../database/port.ts';
import type { PlainResponse } from '../../../http/plain-exchange.ts';
import { VersionedCache } from '../../../runtime/versioned-cache.ts';
import { whenReady } from '../../../runtime/when-ready.ts';

/** Of all that is kept, the keys with it and before anything is compressed. */
const MAX_BYTES = 8_000_000;
/** An answer that would push out all the others is kept for nobody. */
const MAX_ANSWER_BYTES = MAX_BYTES / 4;
const LONGEST_KEY = 2_000;
const KEYS_REMEMBERED = 1_000;

/** A response as it is stored. */
type CachedResponse = PlainResponse & { body: Buffer };

type Read = () => PlainResponse | Promise<PlainResponse>;

/** Keeps answers that were asked for more than once, until the next commit. */
export interface ResponseCache {
  /**
   * The answer under this key, read anew unless nothing was committed since it was read last. The key holds all that
   * the answer depends on: above all who is calling.
   */
  answer(key: string, read: Read): PlainResponse | Promise<PlainResponse>;
}

export function createResponseCache(database: Pick<Database, 'version'>): ResponseCache {
  /** Most responses are asked for once: those would push out the ones that are asked for again. */
  const askedKeys = new LRUCache<string, true>({ max: KEYS_REMEMBERED });
  const cache = new VersionedCache<CachedResponse>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ body }, key) => key.length + body.byteLength,
    version: () => database.version(),
  });

  return {
    answer(key, read) {
      if (key.length > LONGEST_KEY) return read();
      const known = cache.peek(key);
      if (known) return known;
      if (!askedKeys.has(key)) {
        askedKeys.set(key, true);
        return read();
      }
      const store = cache.begin();
      return whenReady(read(), (answer) => {
        if (answer.body.length > MAX_ANSWER_BYTES) return answer;
        // The cached form is answered this time as well: what is made of it, such as its compressed form, is made once.
        const cached = { ...answer, body: Buffer.from(answer.body) };
        store(key, cached);
        return cached;
      });
    },
  };
}
