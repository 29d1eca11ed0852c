import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { LANGUAGE_CODES } from '../project/languages.ts';
import { backendContext } from './backend-context.ts';
import { ClientProvider } from './client/client-context.tsx';
import { loadMessages } from './language/load-messages.ts';
import { type CachedMarkup, CachedMarkupContext } from './layout/cached-part.tsx';
import { ScriptNonce } from './layout/head-script.tsx';
import { type WrittenMetadata, WrittenMetadataContext } from './layout/page-metadata.tsx';
import type { RenderMail, RenderNotice } from './mails/mail-content.ts';
import { byteText } from './rendering/byte-text.ts';
import { encodeData } from './rendering/encode-data.ts';
import { escapeJson } from './rendering/escape-markup.ts';
import { loadData, needRouter } from './rendering/load-data.ts';
import { createMarkupCache } from './rendering/markup-cache.ts';
import { renderInParts } from './rendering/render-in-parts.ts';
import { writeMetadata } from './rendering/write-metadata.ts';
import styles from './styles.css?inline';

await Promise.all(LANGUAGE_CODES.map(loadMessages));

let markupCache = createMarkupCache();

/** The contexts that the router has made for pages, without what they hold of the page itself, by the ids of its routes. */
const prepared = new Map<string, EntryContext>();

/** The ids of routes whose pages are left to the router until the process ends: to try them here first would do all twice. */
const leftToRouter = new Set<string>();

/** Counts, by their routes, the pages in a row that had a part that waits, such as for code that the first of them loads. */
const waitingPages = new Map<string, number>();
const MAX_WAITING_PAGES = 100;

/**
 * Renders the whole page before the first byte is sent, as pages are cached (see `server/page-cache/page-cache.ts`). It is handed over
 * beside the response, which would put it into bytes and into text again.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { reportFailure, scriptNonce, takeDocument } = context.get(backendContext);
  const url = new URL(request.url);
  headers.set('content-type', CONTENT_TYPE);
  const { serverHandoffStream, ...entry } = entryContext;
  const { matches, errors, actionData } = entry.staticHandlerContext;
  const isWhole = status === 200 && !errors && !actionData;
  if (isWhole && !needRouter(matches, entry.routeModules)) prepared.set(keyOf(matches), withoutPage(entry));
  try {
    const html = renderAtOnce(url, entry, context);
    if (html !== undefined) {
      takeDocument(
        withData(html, serverHandoffStream ? await readAll(serverHandoffStream) : '', scriptNonce),
      );
      return new Response(null, { status, headers });
    }
  } catch (error) {
    reportFailure(error);
    throw error;
  }
  const page = pageOf(url, entryContext, context);
  const { html, failed } = await renderInParts(page, { nonce: scriptNonce, reportFailure });
  takeDocument(html);
  return new Response(null, { status: failed ? 500 : status, headers });
}

export interface PreparedPage {
  status: number;
  headers: Record<string, string>;
}

export type RenderPrepared = (
  url: URL,
  context: RouterContextProvider,
  /** Is called with what a page fails with here, even if the router can render it. */
  reportFailure: (error: unknown) => void,
) => Promise<PreparedPage | undefined>;

/**
 * Renders a page that is the same for all readers, if the router has made a context for its routes before: what the router does for each
 * page takes half as long as the rendering. Returns a redirect as it is. Returns undefined for a page that is left to the router: one
 * whose loaders throw anything else, such as a 404, or that cannot be rendered at once.
 */
export const renderPrepared: RenderPrepared = async (url, context, reportFailure) => {
  // Each context holds the router's matcher of all routes.
  const [anyContext] = prepared.values();
  const matches = url.pathname.endsWith('.data')
    ? null
    : anyContext?.staticHandlerContext._match(url.pathname);
  const key = keyOf(matches ?? []);
  const entry = prepared.get(key);
  if (!matches || !entry || leftToRouter.has(key)) return undefined;
  const loading = loadData({ url, matches, context, routeModules: entry.routeModules });
  // The router meets what else is thrown once more, and reports and renders it.
  const loaded = await loading.catch((error: unknown) => (isRedirect(error) ? error : null));
  if (loaded instanceof Response)
    return { status: loaded.status, headers: Object.fromEntries(loaded.headers) };
  if (loaded === undefined) leftToRouter.add(key);
  if (!loaded) return undefined;
  const { loaderData, status } = loaded;
  try {
    const { staticHandlerContext } = entry;
    const location = { ...staticHandlerContext.location, pathname: url.pathname, search: url.search };
    const page = { ...staticHandlerContext, location, matches, loaderData };
    const metadata = writeMetadata({ ...page, routeModules: entry.routeModules });
    const html = renderAtOnce(url, { ...entry, staticHandlerContext: page }, context, metadata);
    noteWaiting(key, html === undefined);
    if (html === undefined) return undefined;
    const { scriptNonce, takeDocument } = context.get(backendContext);
    takeDocument(withData(html, encodeData({ loaderData, actionData: null, errors: null }), scriptNonce));
    return { status, headers: { 'content-type': CONTENT_TYPE } };
  } catch (error) {
    reportFailure(error);
    leftToRouter.add(key);
    return undefined;
  }
};

function isRedirect(error: unknown): error is Response {
  return error instanceof Response && error.status >= 300 && error.status < 400;
}

/** Leaves routes to the router when too many of their pages in a row had a part that waits. */
function noteWaiting(key: string, isWaiting: boolean): void {
  const waiting = isWaiting ? (waitingPages.get(key) ?? 0) + 1 : 0;
  waitingPages.set(key, waiting);
  if (waiting >= MAX_WAITING_PAGES) leftToRouter.add(key);
}

/** Returns what a page's context has in common with those of other pages. */
function withoutPage(entry: EntryContext): EntryContext {
  return {
    ...entry,
    renderMeta: {},
    staticHandlerContext: { ...entry.staticHandlerContext, matches: [], loaderData: {} },
  };
}

type Matches = EntryContext['staticHandlerContext']['matches'];

function keyOf(matches: Matches): string {
  return matches.map(({ route }) => route.id).join(' ');
}

const CONTENT_TYPE = 'text/html; charset=utf-8';

interface PageOptions {
  cachedMarkup?: CachedMarkup | null;
  metadata?: WrittenMetadata | null | undefined;
}

function pageOf(
  url: URL,
  entry: EntryContext,
  context: RouterContextProvider,
  { cachedMarkup = null, metadata = null }: PageOptions = {},
): ReactNode {
  const { client, scriptNonce } = context.get(backendContext);
  return (
    <ScriptNonce value={scriptNonce}>
      <CachedMarkupContext value={cachedMarkup}>
        <WrittenMetadataContext value={metadata}>
          <ClientProvider client={client}>
            <ServerRouter context={withFewRoutes(entry)} url={url} nonce={scriptNonce} />
          </ClientProvider>
        </WrittenMetadataContext>
      </CachedMarkupContext>
    </ScriptNonce>
  );
}

type Manifest = EntryContext['manifest'];

const manifests = new WeakMap<Manifest, Map<string, Manifest>>();

/**
 * Returns the context of a page with the routes that it shows, and none of the others, which the router would make ready for
 * each page.
 */
function withFewRoutes(entry: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = entry;
  const known = manifests.get(manifest) ?? new Map<string, Manifest>();
  manifests.set(manifest, known);
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  const key = ids.join(' ');
  const few = known.get(key) ?? {
    ...manifest,
    routes: Object.fromEntries(ids.map((id) => [id, manifest.routes[id]])),
  };
  known.set(key, few);
  return { ...entry, manifest: few };
}

/** Matches a part that has failed, or whose code is still to be loaded. */
const UNFINISHED = '<!--$!-->';

/**
 * Renders a page that waits for nothing, which takes a sixth less time than in parts: React encodes each of those and counts
 * its bytes. Returns undefined when a part has to wait after all, or fails. Throws what the whole page fails with.
 */
function renderAtOnce(
  url: URL,
  entry: EntryContext,
  context: RouterContextProvider,
  metadata?: WrittenMetadata,
): string | undefined {
  if (markupCache.isFull) markupCache = createMarkupCache();
  const html = byteText(renderToString(pageOf(url, entry, context, { cachedMarkup: markupCache, metadata })));
  return html.includes(UNFINISHED) ? undefined : markupCache.fill(`<!DOCTYPE html>${html}`);
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** Returns the page with the script by which it has the data of its loaders, as `ServerRouter` writes it. */
function withData(html: string, data: string, nonce: string): string {
  const value = escapeJson(JSON.stringify(data));
  const controller = 'window.__reactRouterContext.streamController';
  const script = `<script nonce="${nonce}">${controller}.enqueue(${value});${controller}.close();</script>`;
  const end = html.lastIndexOf('</body>');
  return html.slice(0, end) + byteText(script) + html.slice(end);
}

/** The style sheet, which the server puts into built pages, so that the first paint waits for nothing else. */
export const pageStyles = import.meta.env.DEV ? '' : styles;

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A page that does not exist is a response, not a failure.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.get(backendContext).reportFailure(error);
};

/** Renders a mail for the backend. The code for it is loaded with the first mail, to keep an idle server small. */
export const renderMail: RenderMail = async (mail, site) => {
  const { renderMail } = await import('./mails/render-mail.tsx');
  return renderMail(mail, site);
};

/** Renders a mail about what others did, likewise. */
export const renderNotice: RenderNotice = async (notice, site) => {
  const { renderNotice } = await import('./mails/render-notice.tsx');
  return renderNotice(notice, site);
};
