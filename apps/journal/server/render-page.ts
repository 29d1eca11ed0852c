import { randomBytes } from 'node:crypto';
import type { Backend, Config } from '@fabrica/backend';
import { createClient } from '@fabrica/client';
import type { Logger } from 'pino';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { backendContext, type PageBackend } from '../app/backend-context.ts';
import type { Language } from '../app/language/languages.ts';
import { roles } from '../project/roles.ts';
import type { SharedPart } from './document/brotli-parts.ts';
import { finishDocument } from './document/finish-document.ts';
import type { LinkEarlyFiles } from './frontend.ts';
import type { RenderedPage } from './page-cache.ts';
import type { Reader } from './reader-cookies.ts';
import type { PageRequest } from './reader-fetch.ts';
import { securityHeaders } from './security-headers.ts';
import type { SendContact } from './send-contact.ts';
import type { ReadSite } from './site-reader.ts';
import { isUnavailable, tryAgainSoon } from './try-again.ts';

/** Stands for any reader of a page that is the same for all. */
export const NO_READER: Reader = {
  session: { tokens: null, keep: noCookie, release: noCookie },
  cookies: { header: undefined, set: noCookie },
  setCookies: [],
};

/** A form that a reader sent without JavaScript, with the request that brought it. */
interface SentForm {
  encoded: string;
  sender: Pick<PageRequest, 'header' | 'incoming'>;
}

/** Stands for the sender on a page that was not sent a form. */
const NO_SENDER: SentForm['sender'] = { header: () => undefined };

export interface RenderPageOptions {
  backend: Backend;
  config: Config;
  log: Logger;
  build: ServerBuild | (() => Promise<ServerBuild>);
  mode: 'production' | 'development';
  /** The style sheet that is put into pages. */
  styles: SharedPart | undefined;
  linkEarlyFiles: LinkEarlyFiles;
  readSite: ReadSite;
  sendContact: SendContact | undefined;
  /** Calls the backend within the process. */
  inProcessFetch: typeof fetch;
}

/** Renders the page at a URL in a language, for a reader or for all of them, through the given `fetch`. */
export type RenderPage = (
  url: URL,
  language: Language,
  options: { fetch: typeof globalThis.fetch; reader?: Reader; form?: SentForm | undefined },
) => Promise<RenderedPage>;

/** Creates the function that renders pages by the routes of the app. */
export function createRenderPage(options: RenderPageOptions): RenderPage {
  const { backend, config, log, build, mode, styles, readSite, sendContact, inProcessFetch } = options;
  const handleRoute = createRequestHandler(build, mode);
  const { publicUrl: storageUrl } = config.storage;
  const storageOrigin = storageUrl === config.publicUrl ? '' : storageUrl;

  return async (url, language, { fetch, reader, form }) => {
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
    const scriptNonce = randomBytes(16).toString('base64url');
    let document: Buffer<ArrayBuffer> | undefined;
    let isBusy = false;
    const context = new RouterContextProvider();
    context.set(backendContext, {
      scriptNonce,
      client,
      session,
      cookies,
      language,
      publicUrl: config.publicUrl,
      storageOrigin,
      projectId: project,
      sendContact: sendContact && ((draft) => sendContact(draft, form?.sender ?? NO_SENDER)),
      readSite: () => readSite(language),
      readPreview: (token) => readPreview(inProcessFetch, config, token),
      parentOrigins: allowedOrigins,
      isAllowedOrigin: (target) => backend.isAllowedOrigin(target, project),
      sendsMail: config.mail.smtpUrl !== undefined,
      translatesComments: Boolean((config.ai.baseUrl ?? config.ai.provider) && config.ai.models.text),
      providers: backend.providers,
      takeDocument: (html) => {
        document = html;
      },
      reportFailure(error) {
        isBusy ||= isUnavailable(error);
        log.error({ path: loggedPath(url.pathname), err: error });
      },
    });
    const request = new Request(url, form === undefined ? {} : { method: 'POST', ...formBody(form.encoded) });
    const response = await handleRoute(request, context);
    client.auth.destroy();
    const policy = { pathname: url.pathname, allowedOrigins, storageOrigin };
    // In development, Vite adds inline scripts, which the policy would block.
    const { body, scripts } = document
      ? finishDocument(document, { nonce: scriptNonce, styles })
      : { body: Buffer.from(await response.arrayBuffer()), scripts: [] };
    const headers = Object.fromEntries(response.headers);
    delete headers['content-length'];
    if (mode === 'production') Object.assign(headers, securityHeaders({ ...policy, scripts }));
    const link = options.linkEarlyFiles(url.pathname, language);
    if (link) headers.link = link;
    const page = { status: response.status, headers, body };
    return isBusy && page.status >= 500 ? tryAgainSoon(page) : page;
  };
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

/** Returns a path without the token of a preview link: a reader of the log could open it. */
export function loggedPath(path: string): string {
  return path.replace(/^(\/preview\/)[^/]+/, '$1…');
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

function formBody(form: string): RequestInit {
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form };
}
