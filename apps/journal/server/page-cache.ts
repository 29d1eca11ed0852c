import { createHash } from 'node:crypto';
import { type Bus, type ChangeEvent, compress, type Encoding } from '@fabrica/backend';

/** What a page was made of: rows of a project's `table` whose columns equal these values (all its rows when none are named). */
interface Dependency {
  projectId: string;
  table: string;
  equals: ReadonlyMap<string, string>;
}

/** A page as it is sent again and again. */
export interface StoredPage {
  status: number;
  /** Of the page as it was rendered. */
  bytes: number;
  /** The page in a coding, made when it is first asked for. */
  coded(encoding: Encoding | undefined): Promise<CodedPage>;
}

/** All that an answer needs; each coding has an ETag of its own. */
export interface CodedPage {
  etag: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
}

export interface RenderedPage {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Renders with the fetch that it is given, so that the cache sees what the page is made of. */
export type Render = (fetch: typeof globalThis.fetch) => Promise<RenderedPage>;

export interface PageCacheOptions {
  bus: Pick<Bus, 'subscribe'>;
  /** Grows with the commits of other processes, whose changes the bus does not carry. Asked for every page. */
  foreignCommits: () => number;
  /** The backend's own function. */
  fetch: typeof globalThis.fetch;
  /** Pages kept at most; the one asked for longest ago goes first. */
  capacity?: number;
  /** Bytes of all kept pages together, before they are compressed. */
  maxBytes?: number;
}

export interface PageCache {
  /** The page of this key: the kept one, the one being rendered, or a new one. */
  get(key: string, render: Render): Promise<StoredPage>;
  close(): void;
}

interface Entry {
  page: Promise<StoredPage>;
  dependencies: Dependency[];
  /** Of the page, once it is there. */
  bytes: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const KEPT_BROTLI_QUALITY = 6;

/**
 * Keeps rendered pages until a row that they were made of changes: a write drops what it makes stale before it is
 * answered, also where the page is still being rendered. What another process wrote (an operator's command) is not
 * known row by row: it drops all pages.
 */
export function createPageCache({
  bus,
  foreignCommits,
  fetch,
  capacity = 256,
  maxBytes = MAX_BYTES,
}: PageCacheOptions): PageCache {
  const entries = new Map<string, Entry>();
  let commitsSeen = foreignCommits();
  const unsubscribe = bus.subscribe((event) => {
    for (const [key, entry] of entries) {
      if (entry.dependencies.some((dependency) => concerns(event, dependency))) entries.delete(key);
    }
  });

  function renderAnew(key: string, render: Render): Promise<StoredPage> {
    const dependencies: Dependency[] = [];
    const page = render((input, init) => {
      const request = new Request(input, init);
      const dependency = readDependency(new URL(request.url));
      if (dependency) dependencies.push(dependency);
      return fetch(request);
    }).then(store);
    const entry: Entry = { page, dependencies, bytes: 0 };
    entries.set(key, entry);
    const drop = () => entries.get(key) === entry && entries.delete(key);
    page.then((stored) => {
      if (stored.status !== 200) return drop();
      entry.bytes = stored.bytes;
      return makeRoom();
    }, drop);
    makeRoom();
    return page;
  }

  function makeRoom(): void {
    let bytes = 0;
    for (const entry of entries.values()) bytes += entry.bytes;
    for (const [key, entry] of entries) {
      if (entries.size <= capacity && bytes <= maxBytes) return;
      bytes -= entry.bytes;
      entries.delete(key);
    }
  }

  return {
    get(key, render) {
      const commits = foreignCommits();
      if (commits !== commitsSeen) entries.clear();
      commitsSeen = commits;
      const entry = entries.get(key);
      if (!entry) return renderAnew(key, render);
      entries.delete(key);
      entries.set(key, entry);
      return entry.page;
    },
    close: unsubscribe,
  };
}

function store({ status, headers, body }: RenderedPage): StoredPage {
  const plain = Buffer.from(body);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const codings = new Map<Encoding | undefined, Promise<CodedPage>>();

  async function code(encoding: Encoding | undefined): Promise<CodedPage> {
    const etag = encoding ? `"${hash}-${encoding}"` : `"${hash}"`;
    const coded = encoding ? await compress(plain, encoding, KEPT_BROTLI_QUALITY) : plain;
    return {
      etag,
      headers: {
        ...headers,
        etag,
        // Kept by the reader as well, but asked for anew each time: a write shows in the very next request.
        'cache-control': 'no-cache',
        vary: 'Accept-Encoding, Cookie',
        ...(encoding ? { 'content-encoding': encoding } : {}),
      },
      body: new Uint8Array(coded),
    };
  }

  return {
    status,
    bytes: plain.byteLength,
    coded(encoding) {
      const page = codings.get(encoding) ?? code(encoding);
      codings.set(encoding, page);
      return page;
    },
  };
}

/** What a read of the REST database depends on: its table, and the columns that it asks to be equal to something. */
export function readDependency(address: URL): Dependency | undefined {
  const [, projectId, table] = /^\/api\/db\/([^/]+)\/rest\/v1\/([^/]+)$/.exec(address.pathname) ?? [];
  if (!projectId || !table) return undefined;
  const equals = new Map<string, string>();
  for (const [column, filter] of address.searchParams) {
    if (filter.startsWith('eq.')) equals.set(column, filter.slice('eq.'.length));
  }
  return { projectId, table, equals };
}

function concerns(event: ChangeEvent, { projectId, table, equals }: Dependency): boolean {
  if (event.projectId !== projectId || event.table !== table) return false;
  return [event.before, event.after].some(
    (row) => row !== null && [...equals].every(([column, value]) => String(row[column]) === value),
  );
}
