import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CacheUsage,
  corsHeaders,
  type createRequestIds,
  type LogRequest,
  LRUCache,
  matchesEtag,
  type SharedResponse,
} from '@fabrica/backend';
import type { RequestKey } from './request-key.ts';

/** Bytes of all responses together, with their headers and keys. */
const MAX_BYTES = 40 * 1024 * 1024;
/** A larger response is not kept: it would push out most others. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** Bytes that a response takes beside its body and its key. */
const HEAD_BYTES = 2_000;
/** Most addresses are asked for once: they would push out those that are asked for again. */
const MAX_REQUESTED = 2_000;

/** Headers that are put together for each request. */
const OWN_HEADERS = /^(?:x-request-id|access-control-.*|content-length|vary)$/;

/** A response without what belongs to one request. */
interface Entry {
  /** Names and values in turn. */
  head: readonly string[];
  /** The headers of requests that it depends on, but for the origin of its page. */
  vary: readonly string[];
  etag: string | undefined;
  body: Uint8Array<ArrayBuffer>;
  shared: SharedResponse;
}

/**
 * Keeps the responses that are the same for all who send no credentials, and sends them without the router. Whether one still is
 * what the router would send is asked of the part that made it, at every hit. What belongs to a request alone (its id, its line
 * in the log, the origin of its page, the ETag that it has) is done for each.
 */
interface ResponseCache {
  readonly usage: CacheUsage;
  /** Responds to a request; returns false where that is left to the router. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** Keeps the router's response to a request from the second one on, and returns it. */
  keep(incoming: IncomingMessage, response: Response, shared: SharedResponse): Promise<Response>;
}

interface ResponseCacheOptions {
  keyOf: RequestKey;
  requestIds: ReturnType<typeof createRequestIds>;
  logRequest: LogRequest;
  /** Headers of all responses. */
  headers: Readonly<Record<string, string>>;
}

export function createResponseCache({
  keyOf,
  requestIds,
  logRequest,
  headers: common,
}: ResponseCacheOptions): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_RESPONSE_BYTES,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length + HEAD_BYTES,
  });
  const requested = new LRUCache<string, true>({ max: MAX_REQUESTED });
  const counts = { hits: 0, misses: 0 };

  function find(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry?.shared.isCurrent()) {
      counts.hits += 1;
      return entry;
    }
    counts.misses += 1;
    entries.delete(key);
    return undefined;
  }

  function send(
    { head, vary, etag, body, shared }: Entry,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) {
    const started = performance.now();
    const { method = '', url = '', headers } = incoming;
    const header = (name: string) => headers[name]?.toString();
    const isUnchanged = etag !== undefined && matchesEtag(headers['if-none-match'], etag);
    const status = isUnchanged ? 304 : 200;
    const all = [...head];
    if (!isUnchanged) all.push('content-length', String(body.byteLength));
    const { vary: origin, ...cors } = shared.origins ? corsHeaders({ method, header }, shared.origins) : {};
    all.push(...Object.entries(cors).flat());
    const varies = origin === undefined ? vary : [...vary, origin];
    if (varies.length > 0) all.push('vary', varies.join(', '));
    if (shared.level) {
      const ids = requestIds(header);
      all.push('x-request-id', ids.requestId);
      const [path = ''] = url.split('?', 1);
      logRequest({ ...ids, method, path, status, started }, shared.level);
    }
    outgoing.writeHead(status, all);
    outgoing.end(isUnchanged ? undefined : body);
  }

  return {
    get usage() {
      return { ...counts, bytes: entries.calculatedSize };
    },
    serve(incoming, outgoing) {
      const key = keyOf(incoming);
      const entry = key === undefined ? undefined : find(key);
      if (entry) send(entry, incoming, outgoing);
      return entry !== undefined;
    },
    async keep(incoming, response, shared) {
      const isWhole = incoming.method === 'GET' && response.status === 200;
      const key = isWhole ? keyOf(incoming) : undefined;
      if (key === undefined) return response;
      if (!shared.isKeptAtOnce && !requested.has(key)) {
        requested.set(key, true);
        return response;
      }
      const body = shared.body ?? new Uint8Array(await response.arrayBuffer());
      const { headers } = response;
      const head = [...headers, ...Object.entries(common)].filter(([name]) => !OWN_HEADERS.test(name)).flat();
      const vary = (headers.get('vary') ?? '')
        .split(/, */)
        .filter((name) => name !== '' && name !== 'Origin');
      entries.set(key, { head, vary, etag: headers.get('etag') ?? undefined, body, shared });
      return shared.body ? response : new Response(body, response);
    },
  };
}
