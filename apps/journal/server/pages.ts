import {
  compress,
  createRequestIds,
  measureCache,
  type PlainRequest,
  type PlainResponse,
  preferredEncoding,
} from '@fabrica/backend';
import type { ServerBuild } from 'react-router';
import type { Language } from '../project/languages.ts';
import { secureCookie } from './connections/https-only.ts';
import {
  type CachedPage,
  createPageCache,
  QUICK_QUALITY,
  type RenderedPage,
} from './page-cache/page-cache.ts';
import { createReaders, type Reader } from './reader-cookies.ts';
import { type PageRequest, readerFetch } from './reader-fetch.ts';
import { languageCookie, readerLanguage } from './reader-language.ts';
import {
  createRenderPage,
  loggedPath,
  NO_READER,
  type RenderPageOptions,
  renderInTurns,
} from './render-page.ts';
import { SITE_TABLES } from './site-reader.ts';

/** Matches the pages that are the same for every reader. */
const CACHED_PAGES =
  /^\/(?:(gallery|about-me|contact|imprint|privacy|admin|post\/[\w-]{1,100})(\.data)?|robots\.txt|manifest\.webmanifest|feed\.xml|sitemap(\/[\w-]{1,130})?\.xml)$/;
/** Matches pages that are rendered for each request and yet show nothing of their reader. */
const OPEN_PAGES = /^\/(gallery\?|auth(\/magic|\/forgot)?$)/;
/** Lists of posts for programs are large: they must not take the place of pages. */
const LIST = /^\/(sitemap|feed\.)/;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** The path at which the missing page is rendered: it names none, and no route begins with this. */
const MISSING_PAGE = '/missing';
/** These query parameters change such a page. */
const CACHED_PARAMETERS = ['cursor', 'comments', 'report', '_routes'] as const;
/** Pages whose cache key has more characters are not cached. */
const LONGEST_KEY = 300;
/** Bodies of fewer bytes gain nothing by compression. */
const MIN_COMPRESSED = 1_024;
const PLAIN_SEGMENT = /^[\w.-]+$/;
const NO_PARAMETERS = new URLSearchParams();

type PageUrl = Pick<URL, 'pathname' | 'search' | 'searchParams'>;

export type PagesOptions = Omit<RenderPageOptions, 'inProcessFetch'>;

export interface Pages {
  /** Handles GET and HEAD of every path that is neither the backend's nor a built file, and forms. */
  handle(request: PageRequest): Promise<Response>;
  /** Serves a page that is the same for all readers; undefined for any other request. */
  serveCached(request: PlainRequest): Promise<PlainResponse> | undefined;
  /** Waits for the pages in progress. */
  close(): Promise<void>;
}

/**
 * Creates the journal's pages. Those of anonymous readers are cached until their rows change; those of a reader whose
 * session is kept in a cookie are rendered for each request.
 */
export function createPages(options: PagesOptions): Pages {
  const { backend, build, config, mode, readSite } = options;
  const inProcessFetch = backend.call;
  const renderPage = createRenderPage({ ...options, inProcessFetch });
  const turns = renderInTurns(renderPage);
  const databases = [...backend.projects.values()].map(({ database }) => database);
  const foreignCommits = () => databases.reduce((sum, database) => sum + database.foreignCommits(), 0);
  const site = SITE_TABLES.map((table) => ({ projectId: config.projectId, table }));
  const caching = { bus: backend.bus, foreignCommits, fetch: inProcessFetch, tables: site };
  const cache = createPageCache(caching);
  const lists = createPageCache({ ...caching, maxBytes: MAX_LIST_BYTES });
  measureCache(backend.meter, 'pages', () => cache.usage);
  measureCache(backend.meter, 'lists', () => lists.usage);
  const requestIds = createRequestIds(config.trustedProxies);
  const readers = createReaders({ backend, config });
  const isMissing = typeof build === 'function' ? () => false : findMissing(build);

  async function getPage(
    request: PageRequest,
    url: PageUrl,
    reader: Reader,
  ): Promise<CachedPage | RenderedPage> {
    const { languages } = await readSite();
    const language = readerLanguage(url, request.header('cookie') ?? null, languages);
    const { pathname } = url;
    const { form } = request;
    if (form !== undefined) {
      // A form may wait for others, a mail server or many rounds of a password's hash, and so takes no turn.
      return renderPage(onPublicUrl(url, config.publicUrl), language, {
        fetch: readerFetch({ backend, request, setCookies: reader.setCookies }),
        reader,
        form: { encoded: form, sender: request },
      });
    }
    const isShared = mode === 'production' && !reader.session.tokens;
    if (isShared && isMissing(pathname)) return missingPage(language);
    const search = isShared ? cacheableSearch(url) : undefined;
    const key = `${language} ${pathname}${search}`;
    if (search === undefined || key.length > LONGEST_KEY) {
      return turns.render(onPublicUrl(url, config.publicUrl), language, { fetch: inProcessFetch, reader });
    }
    return (LIST.test(pathname) ? lists : cache).get(key, (fetch) =>
      turns.render(onPublicUrl({ pathname, search }, config.publicUrl), language, { fetch }),
    );
  }

  /** Returns the page that says that there is none, which is rendered once for each language. */
  async function missingPage(language: Language): Promise<CachedPage> {
    const page = await cache.get(`${language} ${MISSING_PAGE}`, async (fetch) => {
      const url = onPublicUrl({ pathname: MISSING_PAGE, search: '' }, config.publicUrl);
      const rendered = await turns.render(url, language, { fetch });
      // Only what is found is cached.
      return rendered.status === 404 ? { ...rendered, status: 200 } : rendered;
    });
    return page.status === 200 ? { ...page, status: 404 } : page;
  }

  async function servePage(request: PlainRequest, pathname: string): Promise<PlainResponse> {
    const started = performance.now();
    const ids = requestIds(request.header);
    const url = { pathname, search: '', searchParams: NO_PARAMETERS };
    const page = await getPage(request, url, { ...NO_READER, setCookies: [] });
    const response = await respondPlain(request, page, { 'x-request-id': ids.requestId });
    const { method } = request;
    backend.logRequest({ ...ids, method, path: pathname, status: response.status, started });
    return response;
  }

  return {
    serveCached(request) {
      const { method, url, header } = request;
      const isShared = mode === 'production' && method === 'GET' && CACHED_PAGES.test(url);
      return isShared && !readers.hasSession(header('cookie')) ? servePage(request, url) : undefined;
    },
    async handle(request) {
      const started = performance.now();
      const ids = requestIds(request.header);
      const url = parseUrl(request.url);
      const reader = await readers.read(request);
      const page = await getPage(request, url, reader);
      const response = await respond(request, page, {
        'x-request-id': ids.requestId,
        // A browser keeps such a page for the way back, which it may not do with a private one.
        ...(isOpen(request, url, reader) ? { 'cache-control': 'no-cache' } : {}),
      });
      for (const cookie of [...languageCookies(url), ...reader.setCookies]) {
        response.headers.append('set-cookie', secureCookie(cookie, config.publicUrl));
      }
      const { method } = request;
      const { status } = response;
      backend.logRequest({ ...ids, method, path: loggedPath(url.pathname), status, started });
      return response;
    },
    async close() {
      await turns.idle();
      cache.close();
      lists.close();
    },
  };
}

/**
 * Returns a function that tells whether no route begins as a path does. The missing pages below known ones are left to the router:
 * their frames mark the section that they are in, and those of the sign-in have a policy of their own.
 */
function findMissing({ routes }: ServerBuild): (pathname: string) => boolean {
  const beginningOf = (path: string) => path.split('/', 1)[0]?.toLowerCase() ?? '';
  const known = new Set(Object.values(routes).map((route) => beginningOf(route?.path ?? '')));
  return (pathname) => {
    const beginning = beginningOf(pathname.slice(1));
    // The router knows paths with escapes too, and its data of pages.
    return PLAIN_SEGMENT.test(beginning) && !pathname.endsWith('.data') && !known.has(beginning);
  };
}

/** Tells whether a page that is rendered for a request shows nothing of the reader who sent it. */
function isOpen({ method, form }: PageRequest, { pathname, search }: PageUrl, reader: Reader): boolean {
  const isRead = method === 'GET' && form === undefined;
  return isRead && !reader.session.tokens && OPEN_PAGES.test(pathname + search);
}

/** Parses a request's URL. Cached pages without a query, which are most requests, need no parser. */
function parseUrl(url: string): PageUrl {
  const path = url.slice(url.indexOf('/', 'https://'.length));
  return CACHED_PAGES.test(path) ? { pathname: path, search: '', searchParams: NO_PARAMETERS } : new URL(url);
}

/**
 * Returns the part of the query that changes the page, or `undefined` for a page that is not cached. Results of searches
 * are not: they depend on the names of authors too, and few are asked for twice.
 */
function cacheableSearch({ pathname, search, searchParams }: PageUrl): string | undefined {
  if (!CACHED_PAGES.test(pathname)) return undefined;
  if (search === '' || LIST.test(pathname)) return '';
  if (searchParams.get('search')) return undefined;
  const relevant = new URLSearchParams();
  for (const name of CACHED_PARAMETERS) {
    const value = searchParams.get(name);
    if (value !== null) relevant.set(name, value);
  }
  return relevant.size > 0 ? `?${relevant}` : '';
}

/** Returns the URL on the site's public origin, regardless of the Host header. */
function onPublicUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>, publicUrl: string): URL {
  const url = new URL(publicUrl);
  url.pathname = pathname;
  url.search = search;
  return url;
}

function languageCookies(url: PageUrl): string[] {
  const cookie = languageCookie(url);
  return cookie ? [cookie] : [];
}

async function respond(
  request: PageRequest,
  page: CachedPage | RenderedPage,
  extraHeaders: Record<string, string>,
): Promise<Response> {
  const { status, headers, body } = await respondPlain(request, page, extraHeaders);
  const isEmpty = status === 304 || request.method === 'HEAD';
  return new Response(isEmpty ? null : body, { status, headers });
}

/** Responds with a page. A rendered page is nobody else's unless the extra headers say so. */
async function respondPlain(
  request: Pick<PageRequest, 'header'>,
  page: CachedPage | RenderedPage,
  extraHeaders: Record<string, string>,
): Promise<PlainResponse> {
  const encoding = preferredEncoding(request.header('accept-encoding'));
  const { status } = page;
  if (!('encoded' in page)) {
    const isCompressed = encoding !== undefined && page.body.length >= MIN_COMPRESSED;
    const body = isCompressed ? await compress(page.body, encoding, QUICK_QUALITY) : page.body;
    const headers = {
      ...page.headers,
      'cache-control': 'private, no-store',
      ...(isCompressed ? { 'content-encoding': encoding, vary: 'Accept-Encoding' } : {}),
      ...extraHeaders,
    };
    return { status, headers, body };
  }
  const { etag, headers, body } = await page.encoded(encoding);
  const all = { ...headers, ...extraHeaders };
  if (status === 200 && request.header('if-none-match')?.includes(etag)) {
    return { status: 304, headers: all, body: '' };
  }
  return { status, headers: { ...all, 'content-length': String(body.byteLength) }, body };
}
