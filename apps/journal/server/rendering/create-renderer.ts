import { randomUUID } from 'node:crypto';
import { createClient } from '@fabrica/client';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { backendContext, type PageBackend } from '../../app/backend-context.ts';
import type { RenderPrepared } from '../../app/entry.server.tsx';
import type { Language } from '../../project/languages.ts';
import { roles } from '../../project/roles.ts';
import type { SharedPart } from '../document/brotli-parts.ts';
import { finishDocument } from '../document/finish-document.ts';
import type { RenderedPage } from '../page-cache/page-cache.ts';
import { securityHeaders } from '../security-headers.ts';
import { isUnavailable, tryAgainSoon } from '../try-again.ts';

/** Holds what all pages have in common, as data that threads can be sent. */
export interface RenderSettings
  extends Pick<
    PageBackend,
    'publicUrl' | 'storageOrigin' | 'sendsMail' | 'translatesComments' | 'providers'
  > {
  /** The project of the journal itself. */
  mainProjectId: string;
}

/** The page that is to be rendered, as data too. */
export interface PageJob {
  /** On the public origin. */
  url: string;
  language: Language;
  projectId: string;
  /** The origins of other sites that may show the page in a frame and get tokens. */
  allowedOrigins: readonly string[];
  /** See PageBackend. */
  mayLackCommits: boolean;
  /** The encoded fields of a form that was sent to it. */
  form?: string | undefined;
}

/** Holds what a page is rendered with. */
export interface PageParts
  extends Pick<
    PageBackend,
    | 'parseMarkdown'
    | 'session'
    | 'cookies'
    | 'sendContact'
    | 'readSite'
    | 'readPreview'
    | 'isAllowedOrigin'
    | 'reportFailure'
  > {
  fetch: typeof globalThis.fetch;
}

export type RenderDocument = (job: PageJob, parts: PageParts) => Promise<RenderedPage>;

export interface RendererOptions {
  build: ServerBuild | (() => Promise<ServerBuild>);
  mode: 'production' | 'development';
  /** The style sheet that is put into pages. */
  styles: SharedPart | undefined;
  settings: RenderSettings;
}

/** Creates the function that renders pages by the routes of the app, in whichever thread. */
export function createRenderer({ build, mode, styles, settings }: RendererOptions): RenderDocument {
  const handleRoute = createRequestHandler(build, mode);
  const { renderPrepared } = typeof build === 'function' ? {} : preparedOf(build);
  const { mainProjectId, ...shared } = settings;

  return async (job, { fetch, reportFailure, ...parts }) => {
    const { url, language, projectId, allowedOrigins, mayLackCommits, form } = job;
    const client = createClient({
      projectId,
      origin: shared.publicUrl,
      fetch,
      roles,
      language: () => language,
    });
    const { tokens } = parts.session;
    if (tokens && projectId === mainProjectId) client.auth.adoptSession(tokens);
    // Its random bits are drawn ahead, for many at a time.
    const scriptNonce = randomUUID();
    let document: string | undefined;
    let failures: unknown[] = [];
    const context = new RouterContextProvider();
    context.set(backendContext, {
      ...shared,
      ...parts,
      scriptNonce,
      client,
      language,
      projectId,
      mayLackCommits,
      parentOrigins: allowedOrigins,
      takeDocument: (html) => {
        document = html;
      },
      reportFailure: (error) => failures.push(error),
    });
    const byRouter = async (): Promise<RenderedPage> => {
      // It meets the failures of loaders again.
      failures = [];
      const request = new Request(url, form === undefined ? {} : { method: 'POST', ...formBody(form) });
      const response = await handleRoute(request, context);
      const headers = Object.fromEntries(response.headers);
      delete headers['content-length'];
      return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
    };
    const parsed = new URL(url);
    const isCommon = parts.session === NO_READER.session;
    const prepared = isCommon ? await renderPrepared?.(parsed, context, reportFailure) : undefined;
    const rendered = prepared ? { ...prepared, body: '' } : await byRouter();
    const { status, headers } = rendered;
    // A client without a session has no timers.
    if (!isCommon) client.auth.destroy();
    for (const error of failures) reportFailure(error);
    // In development, Vite adds inline scripts, which the policy would block.
    const { body, scripts } =
      document !== undefined
        ? finishDocument(document, { nonce: scriptNonce, styles, pathname: parsed.pathname })
        : { body: rendered.body, scripts: [] };
    if (mode === 'production') {
      const { storageOrigin } = shared;
      const { pathname } = parsed;
      Object.assign(headers, securityHeaders({ pathname, allowedOrigins, storageOrigin, scripts }));
    }
    const page = { status, headers, body };
    return page.status >= 500 && failures.some(isUnavailable) ? tryAgainSoon(page) : page;
  };
}

/** Returns the function that `app/entry.server.tsx` exports beside its own handler. */
function preparedOf({ entry }: ServerBuild): { renderPrepared?: RenderPrepared } {
  return entry.module as { renderPrepared?: RenderPrepared };
}

/** Stands for the reader of a page that is the same for all: it has no session, and sets no cookie. */
export const NO_READER: Pick<PageParts, 'session' | 'cookies'> = {
  session: { tokens: null, keep: noCookie, release: noCookie },
  cookies: { header: undefined, set: noCookie },
};

function noCookie(): never {
  throw new Error('A page that is the same for all readers sets no cookie.');
}

function formBody(form: string): RequestInit {
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form };
}
