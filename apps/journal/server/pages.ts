import { randomUUID } from 'node:crypto';
import { type Backend, type Config, compress, preferredEncoding } from '@fabrica/backend';
import { createClient } from '@fabrica/client';
import type { Logger } from 'pino';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { backendContext } from '../app/backend-context.ts';
import type { Language } from '../app/language/languages.ts';
import { loadSite } from '../app/site/site.ts';
import { roles } from '../project/roles.ts';
import { secureCookie } from './https-only.ts';
import { type CachedPage, createPageCache, type RenderedPage } from './page-cache.ts';
import { createReadReader, type Reader } from './reader-cookies.ts';
import { type PageRequest, readerFetch } from './reader-fetch.ts';
import { languageCookie, readerLanguage } from './reader-language.ts';
import { securityHeaders } from './security-headers.ts';
import type { SendContact } from './send-contact.ts';
import type { ReadSite } from './site-reader.ts';

/** Matches the pages that are the same for every reader. */
export const CACHED_PAGES =
  /^\/(?:(gallery|about-me|contact|imprint|privacy|admin|post\/[\w-]{1,100})(\.data)?|robots\.txt|manifest\.webmanifest|sitemap(\/[\w-]{1,20})?\.xml)$/;
/** Sitemaps are large and rarely read: they must not take the place of pages. */
const SITEMAP = /^\/sitemap/;
const MAX_SITEMAP_BYTES = 16 * 1024 * 1024;
/** These query parameters change such a page. */
const CACHED_PARAMETERS = ['cursor', 'comments', '_routes'] as const;
/** Pages whose cache key has more characters are not cached. */
const LONGEST_KEY = 300;
/** Shorter bodies than this, in characters, gain nothing by compression. */
const MIN_COMPRESSED = 1_024;
const NO_PARAMETERS = new URLSearchParams();
/** Stands for any reader of a page that is the same for all. */
const NO_READER: Pick<Reader, 'session' | 'cookies'> = {
  session: { tokens: null, keep: noCookie, release: noCookie },
  cookies: { header: undefined, set: noCookie },
};

/** A form that a reader sent without JavaScript, with the request that brought it. */
interface SentForm {
  encoded: string;
  sender: Pick<PageRequest, 'header' | 'incoming'>;
}

/** Stands for the sender on a page that was not sent a form. */
const NO_SENDER: SentForm['sender'] = { header: () => undefined };

type PageUrl = Pick<URL, 'pathname' | 'search' | 'searchParams'>;

export interface PagesOptions {
  backend: Backend;
  config: Config;
  log: Logger;
  build: ServerBuild | (() => Promise<ServerBuild>);
  mode: 'production' | 'development';
  readSite: ReadSite;
  sendContact: SendContact | undefined;
}

export interface Pages {
  /** Handles GET and HEAD of every path that is neither the backend's nor a built file, and forms. */
  handle(request: PageRequest): Promise<Response>;
  close(): void;
}

/**
 * Creates the journal's pages. Those of anonymous readers are cached until their rows change; those of a reader whose
 * session is kept in a cookie are rendered for each request.
 */
export function createPages(options: PagesOptions): Pages {
  const { backend, config, log, build, mode, readSite, sendContact } = options;
  const handleRoute = createRequestHandler(build, mode);
  const { publicUrl: storageUrl } = config.storage;
  const storageOrigin = storageUrl === config.publicUrl ? '' : storageUrl;
  const inProcessFetch: typeof fetch = (input, init) => backend.fetch(new Request(input, init));
  const databases = [...backend.projects.values()].map(({ database }) => database);
  const foreignCommits = () => databases.reduce((sum, database) => sum + database.foreignCommits(), 0);
  const caching = { bus: backend.bus, foreignCommits, fetch: inProcessFetch };
  const cache = createPageCache(caching);
  const sitemaps = createPageCache({ ...caching, maxBytes: MAX_SITEMAP_BYTES });
  const readReader = createReadReader({ backend, config });

  async function render(
    url: URL,
    language: Language,
    { fetch, reader, form }: { fetch: typeof globalThis.fetch; reader?: Reader; form?: SentForm | undefined },
  ): Promise<RenderedPage> {
    const project = projectOfPage(url, backend) ?? config.projectId;
    const client = createClient({
      projectId: project,
      origin: config.publicUrl,
      fetch,
      roles,
      language: () => language,
    });
    const { origins = [] } = backend.projects.get(project)?.definition ?? {};
    const allowedOrigins = origins.filter((origin) => origin !== '*');
    const { session, cookies } = reader ?? NO_READER;
    if (session.tokens && project === config.projectId) client.auth.adoptSession(session.tokens);
    const context = new RouterContextProvider();
    context.set(backendContext, {
      client,
      session,
      cookies,
      language,
      publicUrl: config.publicUrl,
      storageOrigin,
      projectId: project,
      sendContact: sendContact && ((draft) => sendContact(draft, form?.sender ?? NO_SENDER)),
      readSite: () =>
        loadSite(createClient({ projectId: config.projectId, origin: config.publicUrl, fetch }), language),
      parentOrigins: allowedOrigins,
      isAllowedOrigin: (target) => backend.isAllowedOrigin(target, project),
      sendsMail: config.mail.smtpUrl !== undefined,
      providers: backend.providers,
      reportFailure: (error) => log.error({ path: url.pathname, err: error }),
    });
    const request = new Request(url, form === undefined ? {} : { method: 'POST', ...formBody(form.encoded) });
    const response = await handleRoute(request, context);
    client.auth.destroy();
    const body = await response.text();
    const headers = Object.fromEntries(response.headers);
    delete headers['content-length'];
    // In development, Vite adds inline scripts, which the policy would block.
    if (mode === 'production') {
      const { pathname } = url;
      Object.assign(headers, securityHeaders({ pathname, html: body, allowedOrigins, storageOrigin }));
    }
    return { status: response.status, headers, body };
  }

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
      const fetch = readerFetch({ backend, request });
      return render(onPublicUrl(url, config.publicUrl), language, {
        fetch,
        reader,
        form: { encoded: form, sender: request },
      });
    }
    const isShared = mode === 'production' && !reader.session.tokens;
    const search = isShared ? cacheableSearch(url) : undefined;
    const key = `${language} ${pathname}${search}`;
    if (search === undefined || key.length > LONGEST_KEY) {
      return render(onPublicUrl(url, config.publicUrl), language, { fetch: inProcessFetch, reader });
    }
    return (SITEMAP.test(pathname) ? sitemaps : cache).get(key, (fetch) =>
      render(onPublicUrl({ pathname, search }, config.publicUrl), language, { fetch }),
    );
  }

  return {
    async handle(request) {
      const started = performance.now();
      const requestId = randomUUID();
      const url = parseUrl(request.url);
      const reader = await readReader(request);
      const page = await getPage(request, url, reader);
      const response = await respond(request, page, { 'x-request-id': requestId });
      for (const cookie of [...languageCookies(url), ...reader.setCookies]) {
        response.headers.append('set-cookie', secureCookie(cookie, config.publicUrl));
      }
      log.info({
        requestId,
        method: request.method,
        path: url.pathname,
        status: response.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
      });
      return response;
    },
    close() {
      cache.close();
      sitemaps.close();
    },
  };
}

function noCookie(): never {
  throw new Error('A page that is the same for all readers sets no cookie.');
}

/** Matches the pages that use the token of a mail without starting a session. */
const LINK_PAGES = /^\/auth\/(verify|reset|notices)(\.data)?$/;
/** A sign-in for another site or app has one of these query parameters. */
const EXTERNAL_SIGN_IN = ['redirect_url', 'opener_origin', 'session_id'];

/**
 * Returns the project that a sign-in page is opened for, which its id or the token of a mail names; `undefined` for the
 * journal. A sign-in that stays on this site is always for the journal, because the session is stored for its pages.
 */
function projectOfPage({ pathname, searchParams }: URL, { projects }: Backend): string | undefined {
  const isExternal =
    /^\/auth(\/|\.data$|$)/.test(pathname) && EXTERNAL_SIGN_IN.some((name) => searchParams.has(name));
  if (!isExternal && !LINK_PAGES.test(pathname)) return undefined;
  const named = searchParams.get('project_id') ?? searchParams.get('token')?.split('.')[0];
  return named !== undefined && projects.has(named) ? named : undefined;
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
  if (!CACHED_PAGES.test(pathname) || searchParams.get('search')) return undefined;
  if (search === '') return '';
  const relevant = new URLSearchParams();
  for (const name of CACHED_PARAMETERS) {
    const value = searchParams.get(name);
    if (value !== null) relevant.set(name, value);
  }
  return relevant.size > 0 ? `?${relevant}` : '';
}

function formBody(form: string): RequestInit {
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form };
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
  const encoding = preferredEncoding(request.header('accept-encoding'));
  if (!('encoded' in page)) {
    const isCompressed = encoding !== undefined && page.body.length >= MIN_COMPRESSED;
    const body = isCompressed ? await compress(Buffer.from(page.body), encoding) : page.body;
    return new Response(typeof body === 'string' ? body : new Uint8Array(body), {
      status: page.status,
      headers: {
        ...page.headers,
        'cache-control': 'private, no-store',
        ...(isCompressed ? { 'content-encoding': encoding, vary: 'Accept-Encoding' } : {}),
        ...extraHeaders,
      },
    });
  }
  const { etag, headers, body } = await page.encoded(encoding);
  const all = { ...headers, ...extraHeaders };
  if (page.status === 200 && request.header('if-none-match')?.includes(etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  return new Response(request.method === 'HEAD' ? null : body, { status: page.status, headers: all });
}
