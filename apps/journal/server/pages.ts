import { compressOnce, createRequestIds, matchesEtag, preferredEncoding } from '@fabrica/backend';
import type { ServerBuild } from 'react-router';
import { type Language, languageOfTag } from '../project/languages.ts';
import { secureCookie } from './connections/https-only.ts';
import {
  type CachedPage,
  createPageCache,
  type EncodedPage,
  type RenderedPage,
} from './page-cache/page-cache.ts';
import { createReaders, type Reader } from './reader-cookies.ts';
import { type PageRequest, readerFetch } from './reader-fetch.ts';
import { languageCookie, readerLanguage } from './reader-language.ts';
import { createRenderPage, loggedPath, type RenderPageOptions, renderInTurns } from './render-page.ts';
import { isList, sharedSearch } from './response-cache/page-address.ts';
import { SITE_TABLES } from './site-reader.ts';

/** Matches pages that are rendered for each request and yet show nothing of their reader. */
const OPEN_PAGES = /^\/(gallery\?|auth(\/magic|\/forgot)?$)/;
/** Lists of posts for programs are large: they must not take the place of pages. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** The path at which the missing page is rendered: it names none, and no route begins with this. */
const MISSING_PAGE = '/missing';
/** Pages whose cache key has more characters are not cached. */
const LONGEST_KEY = 300;
/** Bodies of fewer bytes gain nothing by compression. */
const MIN_COMPRESSED = 1_024;
const PLAIN_SEGMENT = /^[\w.-]+$/;

export type PagesOptions = Omit<RenderPageOptions, 'inProcessFetch'>;

export interface Pages {
  /** Handles GET and HEAD of every path that is neither the backend's nor a built file, and forms. */
  handle(request: PageRequest): Promise<Response>;
  /** Waits for the pages in progress. */
  close(): Promise<void>;
}

/** A page, and where it is kept for all readers, whether it still is what they get in this form. */
type GivenPage =
  | { page: RenderedPage; isCurrent?: undefined }
  | { page: CachedPage; isCurrent(encoded: EncodedPage): boolean };

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
  backend.meter?.addCache('pages', () => cache.usage);
  backend.meter?.addCache('lists', () => lists.usage);
  const requestIds = createRequestIds(config.trustedProxies);
  const readers = createReaders({ backend, config });
  const isMissing = typeof build === 'function' ? () => false : findMissing(build);

  async function getPage(
    request: PageRequest,
    url: URL,
    { language, reader }: { language: Language; reader: Reader },
  ): Promise<GivenPage> {
    const { pathname } = url;
    const { form } = request;
    if (form !== undefined) {
      // A form may wait for others, a mail server or many rounds of a password's hash, and so takes no turn.
      const page = await renderPage(onPublicUrl(url, config.publicUrl), language, {
        fetch: readerFetch({ backend, request, setCookies: reader.setCookies }),
        reader,
        form: { encoded: form, sender: request },
      });
      return { page };
    }
    const isShared = mode === 'production' && !reader.session.tokens;
    if (isShared && isMissing(pathname)) return missingPage(language);
    const search = isShared ? sharedSearch(url) : undefined;
    const key = `${language} ${pathname}${search}`;
    if (search === undefined || key.length > LONGEST_KEY) {
      const ways = { fetch: inProcessFetch, reader };
      return { page: await turns.render(onPublicUrl(url, config.publicUrl), language, ways) };
    }
    const from = isList(pathname) ? lists : cache;
    const page = await from.get(key, (fetch) =>
      turns.render(onPublicUrl({ pathname, search }, config.publicUrl), language, { fetch }),
    );
    return { page, isCurrent: (encoded) => from.holds(key, page) && page.isBest(encoded) };
  }

  /** Returns the page that says that there is none, which is rendered once for each language. */
  async function missingPage(language: Language): Promise<GivenPage> {
    const page = await cache.get(`${language} ${MISSING_PAGE}`, async (fetch) => {
      const url = onPublicUrl({ pathname: MISSING_PAGE, search: '' }, config.publicUrl);
      const rendered = await turns.render(url, language, { fetch });
      // Only what is found is cached.
      return rendered.status === 404 ? { ...rendered, status: 200 } : rendered;
    });
    return { page: page.status === 200 ? { ...page, status: 404 } : page, isCurrent: () => false };
  }

  return {
    async handle(request) {
      const started = performance.now();
      const ids = requestIds(request.header);
      const url = new URL(request.url);
      const reader = await readers.read(request);
      const { languages } = await readSite();
      const language = readerLanguage(url, request.header('cookie') ?? null, languages);
      const given = await getPage(request, url, { language, reader });
      // The URL of a page that is shared names its language, or none: then the cookie does.
      const named = languageOfTag(url.searchParams.get('lang'));
      const share = named === undefined || named === language ? request.share : undefined;
      const response = await respond({ ...request, share }, given, {
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
function isOpen({ method, form }: PageRequest, { pathname, search }: URL, reader: Reader): boolean {
  const isRead = method === 'GET' && form === undefined;
  return isRead && !reader.session.tokens && OPEN_PAGES.test(pathname + search);
}

/** Returns the URL on the site's public origin, regardless of the Host header. */
function onPublicUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>, publicUrl: string): URL {
  const url = new URL(publicUrl);
  url.pathname = pathname;
  url.search = search;
  return url;
}

function languageCookies(url: URL): string[] {
  const cookie = languageCookie(url);
  return cookie ? [cookie] : [];
}

/** Responds with a page. A rendered page is nobody else's unless the extra headers say so. */
async function respond(
  request: Pick<PageRequest, 'method' | 'header'> & { share: PageRequest['share'] | undefined },
  given: GivenPage,
  extraHeaders: Record<string, string>,
): Promise<Response> {
  const encoding = preferredEncoding(request.header('accept-encoding'));
  const isHead = request.method === 'HEAD';
  const { status } = given.page;
  if (!given.isCurrent) {
    const { page } = given;
    const isCompressed = encoding !== undefined && page.body.length >= MIN_COMPRESSED;
    const body = isCompressed ? await compressOnce(page.body, encoding) : page.body;
    const headers = {
      ...page.headers,
      'cache-control': 'private, no-store',
      ...(isCompressed ? { 'content-encoding': encoding, vary: 'Accept-Encoding' } : {}),
      ...extraHeaders,
    };
    return new Response(isHead ? null : body, { status, headers });
  }
  const { page, isCurrent } = given;
  const encoded = await page.encoded(encoding);
  const { etag, headers, body } = encoded;
  const all = { ...headers, ...extraHeaders };
  if (status === 200) request.share?.({ isCurrent: () => isCurrent(encoded), body, level: 'info' });
  if (status === 200 && matchesEtag(request.header('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  const whole = { ...all, 'content-length': String(body.byteLength) };
  return new Response(isHead ? null : body, { status, headers: whole });
}
