import { Writable } from 'node:stream';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { backendContext } from './backend-context.ts';
import { ClientProvider } from './client/client-context.tsx';
import { linkEarlyFiles } from './desk/early-files.ts';
import { LANGUAGE_CODES } from './language/languages.ts';
import { loadMessages } from './language/load-messages.ts';
import { ScriptNonce } from './layout/head-script.tsx';
import { KeptMarkupContext } from './layout/kept-markup.tsx';
import { keepMarkup } from './layout/markup-keeper.ts';
import type { RenderMail, RenderNotice } from './mails/mail-content.ts';
import styles from './styles.css?inline';

await Promise.all(LANGUAGE_CODES.map(loadMessages));

let keeper = keepMarkup();

/**
 * Renders the whole page before the first byte is sent, as pages are cached (see `server/page-cache.ts`). It is handed over
 * beside the response, which would put it into bytes and into text again.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { client, language, reportFailure, scriptNonce, takeDocument } = context.get(backendContext);
  if (keeper.isFull) keeper = keepMarkup();
  const kept = keeper;
  const pageOf = (entry: EntryContext) => (
    <ScriptNonce value={scriptNonce}>
      <KeptMarkupContext value={kept}>
        <ClientProvider client={client}>
          <ServerRouter context={withFewRoutes(entry)} url={request.url} nonce={scriptNonce} />
        </ClientProvider>
      </KeptMarkupContext>
    </ScriptNonce>
  );
  const options = { nonce: scriptNonce, reportFailure };
  headers.set('Content-Type', 'text/html; charset=utf-8');
  const early = linkEarlyFiles(new URL(request.url).pathname, language);
  if (early) headers.set('Link', early);
  const { serverHandoffStream, ...withoutData } = entryContext;
  const atOnce = renderAtOnce(pageOf(withoutData), options);
  if (atOnce !== undefined) {
    const data = serverHandoffStream ? await dataScript(serverHandoffStream, scriptNonce) : '';
    const end = atOnce.lastIndexOf('</body>');
    takeDocument(kept.fill(`<!DOCTYPE html>${atOnce.slice(0, end)}${data}${atOnce.slice(end)}`));
    return new Response(null, { status, headers });
  }
  const { html, failed } = await renderInParts(pageOf(entryContext), options);
  takeDocument(kept.fill(html));
  return new Response(null, { status: failed ? 500 : status, headers });
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

interface RenderOptions {
  nonce: string;
  reportFailure(error: unknown): void;
}

/** Matches a part that has failed, or whose code is still to be loaded. */
const UNFINISHED = '<!--$!-->';

/**
 * Renders a page that waits for nothing, which takes a sixth less time than in parts: React encodes each of those and counts
 * its bytes. Returns undefined when a part has to wait after all, or fails.
 */
function renderAtOnce(page: ReactNode, { reportFailure }: RenderOptions): string | undefined {
  try {
    const html = renderToString(page);
    return html.includes(UNFINISHED) ? undefined : html;
  } catch (error) {
    reportFailure(error);
    throw error;
  }
}

/** Returns the script by which the page has the data of its loaders, as `ServerRouter` writes it. */
async function dataScript(stream: ReadableStream<Uint8Array>, nonce: string): Promise<string> {
  const decoder = new TextDecoder();
  let data = '';
  for await (const chunk of stream) data += decoder.decode(chunk, { stream: true });
  const value = JSON.stringify(data).replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const controller = 'window.__reactRouterContext.streamController';
  return `<script nonce="${nonce}">${controller}.enqueue(${value});${controller}.close();</script>`;
}

/** Renders a page of which parts wait for what they show. */
function renderInParts(
  page: ReactNode,
  { nonce, reportFailure }: RenderOptions,
): Promise<{ html: string; failed: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ html: string; failed: boolean }>();
  let failed = false;
  const { pipe } = renderToPipeableStream(page, {
    // A part that is large would come at the end, and need a script to be put into its place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    nonce,
    onAllReady() {
      const chunks: Uint8Array[] = [];
      const document = new Writable({
        write(chunk: Uint8Array, _, done) {
          chunks.push(chunk);
          done();
        },
        final(done) {
          resolve({ html: Buffer.concat(chunks).toString(), failed });
          done();
        },
      });
      pipe(document.once('error', reject));
    },
    onShellError: reject,
    onError(error) {
      failed = true;
      reportFailure(error);
    },
  });
  return promise;
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
