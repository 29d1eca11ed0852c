import type { Backend, Config } from '@fabrica/backend';
import type { Logger } from 'pino';
import type { ServerBuild } from 'react-router';
import type { PageBackend } from '../../app/backend-context.ts';
import type { Language } from '../../project/languages.ts';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import type { SharedPart } from '../document/brotli-parts.ts';
import type { RenderedPage } from '../page-cache/page-cache.ts';
import type { Reader } from '../reader-cookies.ts';
import type { PageRequest } from '../reader-fetch.ts';
import type { SendContact } from '../send-contact.ts';
import type { ReadSite } from '../site-reader.ts';
import { createRenderer, NO_READER, type PageJob, type RenderSettings } from './create-renderer.ts';

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
  readSite: ReadSite;
  sendContact: SendContact | undefined;
  parseMarkdown: ParseMarkdown;
  /** Calls the backend within the process. */
  inProcessFetch: typeof fetch;
}

/** Renders the page at a URL in a language, for a reader or for all of them, through the given `fetch`. */
export type RenderPage = (
  url: URL,
  language: Language,
  options: { fetch: typeof globalThis.fetch; reader?: Reader; form?: SentForm | undefined },
) => Promise<RenderedPage>;

/** Creates the function that renders pages in this thread. */
export function createRenderPage(options: RenderPageOptions): RenderPage {
  const { backend, config, log, build, mode, styles, readSite, sendContact, parseMarkdown } = options;
  const { inProcessFetch } = options;
  const render = createRenderer({ build, mode, styles, settings: renderSettings(options) });

  return (url, language, { fetch, reader, form }) => {
    const job = { ...describeJob(url, language, options), form: form?.encoded };
    const { session, cookies } = reader ?? NO_READER;
    return render(job, {
      fetch,
      parseMarkdown,
      session,
      cookies,
      sendContact: sendContact && ((draft) => sendContact(draft, form?.sender ?? NO_SENDER)),
      readSite: () => readSite(language),
      readPreview: (token) => readPreview(inProcessFetch, config, token),
      isAllowedOrigin: (target) => backend.isAllowedOrigin(target, job.projectId),
      reportFailure: (error) => log.error({ path: loggedPath(url.pathname), err: error }),
    });
  };
}

/** Returns what all pages have in common. */
export function renderSettings({
  backend,
  config,
}: Pick<RenderPageOptions, 'backend' | 'config'>): RenderSettings {
  const { publicUrl, projectId: mainProjectId, storage, mail, ai } = config;
  return {
    mainProjectId,
    publicUrl,
    storageOrigin: storage.publicUrl === publicUrl ? '' : storage.publicUrl,
    sendsMail: mail.smtpUrl !== undefined,
    translatesComments: Boolean((ai.baseUrl ?? ai.provider) && ai.models.text),
    providers: backend.providers,
  };
}

/** Returns the page at a URL as data. */
export function describeJob(
  url: URL,
  language: Language,
  { backend, config }: Pick<RenderPageOptions, 'backend' | 'config'>,
): PageJob {
  const projectId = projectOfPage(url, backend) ?? config.projectId;
  const { definition, database } = backend.projects.get(projectId) ?? {};
  const allowedOrigins = (definition?.origins ?? []).filter((origin) => origin !== '*');
  const mayLackCommits = database !== undefined && database.version() === undefined;
  return { url: url.href, language, projectId, allowedOrigins, mayLackCommits };
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
