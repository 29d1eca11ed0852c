import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Backend, type Config, preferredEncoding } from '@fabrica/backend';
import { createClient } from '@fabrica/client';
import type { Logger } from 'pino';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { backendContext } from '../app/backend-context.ts';
import type { Language } from '../app/language/languages.ts';
import { createPageCache, type RenderedPage, type StoredPage } from './page-cache.ts';
import { readerFetch } from './reader-fetch.ts';
import { keepLanguage, readerLanguage } from './reader-language.ts';
import { securityHeaders } from './security-headers.ts';

/** Pages that are the same for every reader, and the parts of a query that change them. */
export const KEPT_PAGES = /^\/(gallery|about-me|contact|admin|post\/[\w-]{1,100})(\.data)?$/;
const KEPT_PARAMETERS = ['cursor', 'search', '_routes'] as const;
const LONGEST_KEY = 300;
const NO_PARAMETERS = new URLSearchParams();

type Address = Pick<URL, 'pathname' | 'search' | 'searchParams'>;

export interface PagesOptions {
  backend: Backend;
  config: Config;
  log: Logger;
  build: ServerBuild | (() => Promise<ServerBuild>);
  mode: 'production' | 'development';
}

/** What a page needs of its request: `header` reads what Node has parsed already, and makes nothing anew. */
export interface PageRequest {
  method: string;
  url: string;
  header(name: string): string | undefined;
  /** Node's own request, where there is one: who is at the other end. */
  incoming?: IncomingMessage | undefined;
  /** The fields of the form that is sent, as they were encoded; none for GET and HEAD. */
  form?: string;
}

export interface Pages {
  /** Answers GET and HEAD of every address that is neither the backend's nor a built file, and forms sent to a page. */
  handle(request: PageRequest): Promise<Response>;
  close(): void;
}

/** The journal's pages, rendered for the anonymous reader and kept until what they show changes. */
export function createPages({ backend, config, log, build, mode }: PagesOptions): Pages {
  const handleRoute = createRequestHandler(build, mode);
  const { publicUrl: storageUrl } = config.storage;
  const storageOrigin = storageUrl === config.publicUrl ? '' : storageUrl;
  const inProcess: typeof fetch = (input, init) => backend.fetch(new Request(input, init));
  const databases = [...backend.projects.values()].map(({ database }) => database);
  const foreignCommits = () => databases.reduce((sum, database) => sum + database.foreignCommits(), 0);
  const cache = createPageCache({ bus: backend.bus, foreignCommits, fetch: inProcess });

  async function render(
    address: URL,
    language: Language,
    { fetch, form }: { fetch: typeof globalThis.fetch; form?: string | undefined },
  ): Promise<RenderedPage> {
    const project = servedProject(address, backend) ?? config.projectId;
    const client = createClient({
      projectId: project,
      origin: config.publicUrl,
      fetch,
      language: () => language,
    });
    const context = new RouterContextProvider();
    context.set(backendContext, {
      client,
      language,
      publicUrl: config.publicUrl,
      storageOrigin,
      projectId: project,
      isAllowedOrigin: (target) => backend.isAllowedOrigin(target, project),
      providers: backend.providers,
      reportFailure: (error) => log.error({ path: address.pathname, err: error }),
    });
    const request = new Request(address, form === undefined ? {} : { method: 'POST', ...encoded(form) });
    const response = await handleRoute(request, context);
    client.auth.destroy();
    const body = await response.text();
    const headers = Object.fromEntries(response.headers);
    delete headers['content-length'];
    // Vite's reloading page brings inline scripts of its own.
    if (mode === 'production') {
      const { pathname } = address;
      const { origins = [] } = backend.projects.get(project)?.definition ?? {};
      const allowedOrigins = origins.filter((origin) => origin !== '*');
      Object.assign(headers, securityHeaders({ pathname, html: body, allowedOrigins, storageOrigin }));
    }
    return { status: response.status, headers, body };
  }

  async function answer(request: PageRequest, address: Address): Promise<StoredPage | RenderedPage> {
    const language = readerLanguage(address, request.header('cookie') ?? null);
    const { pathname } = address;
    const { form } = request;
    if (form !== undefined) {
      const fetch = readerFetch({ backend, request });
      return render(onPublicUrl(address, config.publicUrl), language, { fetch, form });
    }
    const search = mode === 'production' ? keptSearch(address) : undefined;
    const key = `${language} ${pathname}${search}`;
    if (search === undefined || key.length > LONGEST_KEY) {
      return render(onPublicUrl(address, config.publicUrl), language, { fetch: inProcess });
    }
    return cache.get(key, (fetch) =>
      render(onPublicUrl({ pathname, search }, config.publicUrl), language, { fetch }),
    );
  }

  return {
    async handle(request) {
      const started = performance.now();
      const requestId = randomUUID();
      const address = parseAddress(request.url);
      const response = await respond(request, await answer(request, address), {
        'x-request-id': requestId,
        ...setLanguage(address),
      });
      log.info({
        requestId,
        method: request.method,
        path: address.pathname,
        status: response.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
      });
      return response;
    },
    close: () => cache.close(),
  };
}

/** Pages that spend the token of a mail without opening a session. */
const LINK_PAGES = /^\/auth\/(verify|reset|notices)(\.data)?$/;
/** Where a sign-in leads to that is not for this site itself. */
const LEADS_AWAY = ['redirect_url', 'opener_origin', 'session_id'];

/**
 * The project that a page of signing in is opened for, by its id or by the token of its mail; undefined for the
 * journal. No session of another project is begun to stay here: it would be kept for pages that are not its own.
 */
function servedProject({ pathname, searchParams }: URL, { projects }: Backend): string | undefined {
  const leadsAway =
    /^\/auth(\/|\.data$|$)/.test(pathname) && LEADS_AWAY.some((name) => searchParams.has(name));
  if (!leadsAway && !LINK_PAGES.test(pathname)) return undefined;
  const named = searchParams.get('project_id') ?? searchParams.get('token')?.split('.')[0];
  return named !== undefined && projects.has(named) ? named : undefined;
}

/** Most addresses have no query, and need no parser: they are kept pages as they stand. */
function parseAddress(address: string): Address {
  const path = address.slice(address.indexOf('/', 'https://'.length));
  return KEPT_PAGES.test(path)
    ? { pathname: path, search: '', searchParams: NO_PARAMETERS }
    : new URL(address);
}

/** Of the query, what changes a page that is kept; undefined for a page that never is. */
function keptSearch({ pathname, search, searchParams }: Address): string | undefined {
  if (!KEPT_PAGES.test(pathname)) return undefined;
  if (search === '') return '';
  const kept = new URLSearchParams();
  for (const name of KEPT_PARAMETERS) {
    const value = searchParams.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept.size > 0 ? `?${kept}` : '';
}

function encoded(form: string): RequestInit {
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form };
}

/** The same address on the origin that readers know, whatever the Host header said. */
function onPublicUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>, publicUrl: string): URL {
  const address = new URL(publicUrl);
  address.pathname = pathname;
  address.search = search;
  return address;
}

function setLanguage(address: Address): Record<string, string> {
  const cookie = keepLanguage(address);
  return cookie ? { 'set-cookie': cookie } : {};
}

async function respond(
  request: PageRequest,
  page: StoredPage | RenderedPage,
  extra: Record<string, string>,
): Promise<Response> {
  if (!('coded' in page)) {
    return new Response(page.body, {
      status: page.status,
      headers: { ...page.headers, 'cache-control': 'no-store', ...extra },
    });
  }
  const encoding = preferredEncoding(request.header('accept-encoding'));
  const { etag, headers, body } = await page.coded(encoding);
  const all = { ...headers, ...extra };
  if (page.status === 200 && request.header('if-none-match')?.includes(etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  return new Response(request.method === 'HEAD' ? null : body, { status: page.status, headers: all });
}
