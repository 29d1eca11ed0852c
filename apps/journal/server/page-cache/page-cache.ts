import { hash } from 'node:crypto';
import { type Bus, type CacheUsage, compress, compressOnce, type Encoding } from '@fabrica/backend';
import { type Dependency, DependencyIndex, type IndexedPage } from './page-dependencies.ts';

/** Holds a rendered page in the cache. */
export interface CachedPage {
  status: number;
  /** Bytes before compression. */
  bytes: number;
  /** Returns the page in an encoding, in which it is compressed once. */
  encoded(encoding: Encoding | undefined): Promise<EncodedPage>;
  /** Tells whether there is no smaller form in the same encoding by now, and counts as a request for it. */
  isBest(encoded: EncodedPage): boolean;
}

/** Holds the parts of a response. Each encoding has an ETag of its own. */
export interface EncodedPage {
  etag: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
}

export interface RenderedPage {
  status: number;
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
}

/** Renders a page with the given `fetch`, through which the cache sees the rows that the page depends on. */
type Render = (fetch: typeof globalThis.fetch) => Promise<RenderedPage>;

export interface PageCacheOptions {
  bus: Pick<Bus, 'subscribe'>;
  /** Returns the number of commits by other processes, which the bus does not carry. Called for every page. */
  foreignCommits: () => number;
  /** Calls the backend within the process. */
  fetch: typeof globalThis.fetch;
  /** Tables that all pages depend on, whichever they read through `fetch`. */
  tables?: readonly Pick<Dependency, 'projectId' | 'table'>[];
  /** Maximum number of pages; the least recently used one is removed first. */
  capacity?: number;
  /** Maximum bytes of all pages together, before compression. */
  maxBytes?: number;
}

interface PageCache {
  readonly usage: CacheUsage;
  /** Returns the page of this key, from the cache, from a rendering in progress, or rendered now. */
  get(key: string, render: Render): Promise<CachedPage>;
  /** Tells whether a page still is that of the key, which counts as a use. */
  holds(key: string, page: CachedPage): boolean;
  close(): void;
}

interface Entry {
  page: Promise<CachedPage>;
  indexed: IndexedPage;
  /** The page, once it is rendered. */
  rendered?: CachedPage;
  /** Whether it was asked for again after it was rendered. */
  isReadAgain: boolean;
  render: Render;
}

/** Pages that are rendered ahead after a write at most: one that drops more, such as of the site's name, would keep all others waiting. */
const MAX_AHEAD = 4;

/** Any row of a table. */
const ANY: ReadonlyMap<string, string> = new Map();
const MAX_BYTES = 32 * 1024 * 1024;
/** The level of brotli for a page that several readers ask for. */
const GOOD_QUALITY = 6;

/**
 * Creates a cache of rendered pages. A write removes the pages that depend on its rows before it is responded to, also
 * those that are being rendered. Of the removed pages, those that were asked for more than once are rendered again at once, so that
 * their next reader does not wait. The rows that another process writes (an operator's command) are not known, so such a
 * commit removes all pages.
 */
export function createPageCache({
  bus,
  foreignCommits,
  fetch,
  tables = [],
  capacity = 256,
  maxBytes = MAX_BYTES,
}: PageCacheOptions): PageCache {
  const entries = new Map<string, Entry>();
  const index = new DependencyIndex();
  const counts = { hits: 0, misses: 0 };
  /** Of all pages that are rendered. */
  let bytes = 0;
  let lastCommits = foreignCommits();
  let isClosed = false;
  const unsubscribe = bus.subscribe((event) => {
    const removed = [...index.keysOf(event)].flatMap((key) => {
      const entry = entries.get(key);
      return entry ? [[key, entry] as const] : [];
    });
    for (const [key, entry] of removed) drop(key, entry);
    const wanted = removed.filter(([, { isReadAgain }]) => isReadAgain);
    if (wanted.length > 0 && wanted.length <= MAX_AHEAD) setImmediate(renderAhead, wanted);
  });

  function drop(key: string, entry: Entry): void {
    entries.delete(key);
    bytes -= entry.rendered?.bytes ?? 0;
    index.remove(entry.indexed);
  }

  /** Renders pages before somebody asks for them, after the write has its response. */
  function renderAhead(pages: readonly (readonly [key: string, entry: Entry])[]): void {
    for (const [key, { render }] of pages) {
      if (!isClosed && !entries.has(key)) renderPage(key, render);
    }
  }

  function renderPage(key: string, render: Render): Promise<CachedPage> {
    const indexed = index.add(
      key,
      tables.map((table) => ({ ...table, equals: ANY })),
    );
    const page = render((input, init) => {
      const dependency = parseDependency(new URL(input instanceof Request ? input.url : input));
      if (dependency) index.depend(indexed, dependency);
      return fetch(input, init);
    }).then(toCachedPage);
    const entry: Entry = { page, indexed, isReadAgain: false, render };
    entries.set(key, entry);
    const remove = () => {
      if (entries.get(key) === entry) drop(key, entry);
    };
    page.then((cached) => {
      if (cached.status !== 200) return remove();
      entry.rendered = cached;
      if (entries.get(key) !== entry) return;
      bytes += cached.bytes;
      evict();
    }, remove);
    evict();
    return page;
  }

  function find(key: string): Entry | undefined {
    const commits = foreignCommits();
    if (commits !== lastCommits) for (const [key, entry] of entries) drop(key, entry);
    lastCommits = commits;
    const entry = entries.get(key);
    if (entry) counts.hits += 1;
    else counts.misses += 1;
    if (!entry) return undefined;
    entry.isReadAgain = true;
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  function evict(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= capacity && bytes <= maxBytes) return;
      drop(key, entry);
    }
  }

  return {
    get usage() {
      return { ...counts, bytes };
    },
    get: (key, render) => find(key)?.page ?? renderPage(key, render),
    holds: (key, page) => find(key)?.rendered === page,
    close() {
      isClosed = true;
      unsubscribe();
    },
  };
}

function toCachedPage({ status, headers, body }: RenderedPage): CachedPage {
  const fingerprint = hash('sha256', body, 'base64url').slice(0, 22);
  const encodings = new Map<Encoding | undefined, Promise<EncodedPage>>();
  let brotliRequests = 0;
  let best: EncodedPage | undefined;

  async function encode(encoding: Encoding | undefined, isWanted: boolean): Promise<EncodedPage> {
    // It names the page in this encoding, whose decoded bytes do not depend on how well they are compressed.
    const etag = encoding ? `"${fingerprint}-${encoding}"` : `"${fingerprint}"`;
    return {
      etag,
      headers: {
        ...headers,
        etag,
        // Browsers may store the page but revalidate it each time, so that a write shows in the very next request.
        'cache-control': 'no-cache',
        vary: 'Accept-Encoding, Cookie',
        ...(encoding ? { 'content-encoding': encoding } : {}),
      },
      body: encoding ? await shrink(encoding, isWanted) : body,
    };
  }

  /** Most pages are asked for once, and with brotli, which later readers get better. */
  function shrink(encoding: Encoding, isWanted: boolean) {
    return encoding === 'br' && !isWanted
      ? compressOnce(body, encoding)
      : compress(body, encoding, GOOD_QUALITY);
  }

  function encodeQuickly(encoding: Encoding | undefined): Promise<EncodedPage> {
    const page = encode(encoding, false);
    encodings.set(encoding, page);
    return page;
  }

  /** Compresses the page well once it is asked for again. */
  function countBrotli(): void {
    brotliRequests += 1;
    if (brotliRequests !== 2) return;
    const smaller = encode('br', true);
    smaller.then(
      (page) => {
        best = page;
        encodings.set('br', smaller);
      },
      () => undefined,
    );
  }

  return {
    status,
    bytes: body.length,
    encoded(encoding) {
      const page = encodings.get(encoding) ?? encodeQuickly(encoding);
      if (encoding === 'br') countBrotli();
      return page;
    },
    isBest(encoded) {
      if (encoded.headers['content-encoding'] !== 'br') return true;
      countBrotli();
      return best === undefined || best === encoded;
    },
  };
}

/** Returns the table and the column values that a read of the REST API depends on. */
function parseDependency(url: URL): Dependency | undefined {
  const [, projectId, table] = /^\/api\/db\/([^/]+)\/rest\/v1\/([^/]+)$/.exec(url.pathname) ?? [];
  if (!projectId || !table) return undefined;
  const equals = new Map<string, string>();
  for (const [column, filter] of url.searchParams) {
    if (filter.startsWith('eq.')) equals.set(column, filter.slice('eq.'.length));
  }
  return { projectId, table, equals };
}
