import { randomUUID } from 'node:crypto';
import { type Backend, type Config, Semaphore, traced } from '@fabrica/backend';
import { createClient } from '@fabrica/client';
import type { Logger } from 'pino';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { backendContext, type PageBackend } from '../app/backend-context.ts';
import type { Language } from '../project/languages.ts';
import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import { roles } from '../project/roles.ts';
import type { RenderedPage } from './page-cache/page-cache.ts';
import type { Reader } from './reader-cookies.ts';
import type { PageRequest } from './reader-fetch.ts';
import { securityHeaders, takeScripts } from './security-headers.ts';
import type { SendContact } from './send-contact.ts';
import type { ReadSite } from './site-reader.ts';
import { isUnavailable, tryAgainSoon } from './try-again.ts';

/** Pages that are rendered at a time. The others wait. */
const PAGES_AT_ONCE = 4;

/** A form that a reader sent, with the request that brought it. */
interface SentForm {
  encoded: string;
  sender: Pick<PageRequest, 'header' | 'incoming'>;
}

export interface RenderPageOptions {
  backend: Backend;
  config: Config;
  log: Logger;
  build: ServerBuild | (() => Promise<ServerBuild>);
  mode: 'production' | 'development';
  readSite: ReadSite;
  sendContact: SendContact;
  parseMarkdown: ParseMarkdown;
  /** Calls the backend within the process. */
  inProcessFetch: typeof fetch;
}

/** Renders the page at a URL in a language, for a reader or for all of them, through the given `fetch`. */
type RenderPage = (
  url: URL,
  language: Language,
  options: { fetch: typeof globalThis.fetch; reader?: Reader; form?: SentForm | undefined },
) => Promise<RenderedPage>;

/** Creates the function that renders pages by the routes of the app. */
export function createRenderPage(options: RenderPageOptions): RenderPage {
  const { backend, config, log, build, mode, readSite, sendContact, parseMarkdown, inProcessFetch } = options;
  const { publicUrl, projectId: mainProjectId, storage, mail, ai } = config;
  const handleRoute = createRequestHandler(build, mode);
  const storageOrigin = storage.publicUrl === publicUrl ? '' : storage.publicUrl;
  const shared = {
    publicUrl,
    storageOrigin,
    sendsMail: mail.smtpUrl !== undefined,
    hasModel: Boolean((ai.baseUrl ?? ai.provider) && ai.models.text),
    providers: backend.providers,
    parseMarkdown,
    readPreview: (token: string) => readPreview(inProcessFetch, config, token),
  };

  return async (url, language, { fetch, reader, form }) => {
    const { pathname } = url;
    const { session, cookies } = reader ?? NO_READER;
    const projectId = projectOfPage(url, backend) ?? mainProjectId;
    const { definition, database } = backend.projects.get(projectId) ?? {};
    const allowedOrigins = (definition?.origins ?? []).filter((origin) => origin !== '*');
    const client = createClient({ projectId, origin: publicUrl, fetch, roles, language: () => language });
    if (session.tokens && projectId === mainProjectId) client.auth.adoptSession(session.tokens);
    const scriptNonce = randomUUID();
    const failures: unknown[] = [];
    const context = new RouterContextProvider();
    context.set(backendContext, {
      ...shared,
      client,
      session,
      cookies,
      language,
      projectId,
      scriptNonce,
      mayLackCommits: database !== undefined && database.version() === undefined,
      parentOrigins: allowedOrigins,
      readSite: () => readSite(language),
      sendContact: (draft) => sendContact(draft, form?.sender ?? NO_SENDER),
      isAllowedOrigin: (target) => backend.isAllowedOrigin(target, projectId),
      reportFailure: (error) => failures.push(error),
    });
    const response = await handleRoute(new Request(url, form && formRequest(form.encoded)), context);
    client.auth.destroy();
    for (const err of failures) log.error({ path: loggedPath(pathname), err });
    const headers = Object.fromEntries(response.headers);
    delete headers['content-length'];
    const { html, scripts } = takeScripts(await response.text(), scriptNonce);
    // In development, Vite adds inline scripts, which the policy would block.
    if (mode === 'production') {
      Object.assign(headers, securityHeaders({ pathname, allowedOrigins, storageOrigin, scripts }));
    }
    const page = { status: response.status, headers, body: Buffer.from(html) };
    return page.status >= 500 && failures.some(isUnavailable) ? tryAgainSoon(page) : page;
  };
}

interface Turns {
  render: RenderPage;
  /** Resolves when no page is in progress: some go on when their readers have gone. */
  idle(): Promise<void>;
}

/**
 * Has pages rendered in turns. Calls of the API come between two of them: pages whose reads never wait, as those of SQLite, would
 * all be rendered in one iteration of the event loop.
 */
export function renderInTurns(renderPage: RenderPage): Turns {
  const semaphore = new Semaphore({ concurrency: PAGES_AT_ONCE });
  const pages = new Set<Promise<RenderedPage>>();

  async function renderInTurn(...page: Parameters<RenderPage>): Promise<RenderedPage> {
    const release = await semaphore.acquire();
    try {
      return await traced('render', 'page', () => renderPage(...page));
    } finally {
      setImmediate(release);
    }
  }

  return {
    render(...page) {
      const rendering = renderInTurn(...page);
      pages.add(rendering);
      const forget = () => pages.delete(rendering);
      rendering.then(forget, forget);
      return rendering;
    },
    async idle() {
      while (pages.size > 0) await Promise.allSettled(pages);
    },
  };
}

/** Stands for the reader of a page that is the same for all: it has no session, and sets no cookie. */
const NO_READER: Pick<PageBackend, 'session' | 'cookies'> = {
  session: { tokens: null, keep: noCookie, release: noCookie },
  cookies: { header: undefined, set: noCookie },
};

/** Stands for the sender on a page that was not sent a form. */
const NO_SENDER: SentForm['sender'] = { header: () => undefined };

function noCookie(): never {
  throw new Error('A page that is the same for all readers sets no cookie.');
}

function formRequest(body: string): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
}

/** Asks the desk for the working copy of a preview link. */
async function readPreview(
  fetch: typeof globalThis.fetch,
  { projectId, publicUrl }: Config,
  token: string,
): ReturnType<PageBackend['readPreview']> {
  const query = new URLSearchParams({ token });
  const response = await fetch(`${publicUrl}/api/desk/${projectId}/preview?${query}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The desk returned ${response.status} for a preview.`);
  return response.json();
}

/** Returns a path without the token of a preview link, which pages find in any case: a reader of the log could open it. */
export function loggedPath(path: string): string {
  return path.replace(/^(\/preview\/)[^/]+/i, '$1…');
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
