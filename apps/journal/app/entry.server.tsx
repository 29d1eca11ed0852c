import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
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
import type { RenderMail, RenderNotice } from './mails/mail-content.ts';
import styles from './styles.css?inline';

await Promise.all(LANGUAGE_CODES.map(loadMessages));

/**
 * Renders the whole page before the first byte is sent, as pages are cached (see `server/page-cache.ts`). It is handed over
 * beside the response, which would put it into text and into bytes twice.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { client, language, reportFailure, scriptNonce, takeDocument } = context.get(backendContext);
  const page = (
    <ScriptNonce value={scriptNonce}>
      <ClientProvider client={client}>
        <ServerRouter context={entryContext} url={request.url} nonce={scriptNonce} />
      </ClientProvider>
    </ScriptNonce>
  );
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  let failed = false;
  const { pipe } = renderToPipeableStream(page, {
    // A part that is large would come at the end, and need a script to be put into its place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    nonce: scriptNonce,
    onAllReady() {
      headers.set('Content-Type', 'text/html; charset=utf-8');
      const early = linkEarlyFiles(new URL(request.url).pathname, language);
      if (early) headers.set('Link', early);
      const chunks: Uint8Array[] = [];
      const document = new Writable({
        write(chunk: Uint8Array, _, done) {
          chunks.push(chunk);
          done();
        },
        final(done) {
          takeDocument(Buffer.concat(chunks));
          resolve(new Response(null, { status: failed ? 500 : status, headers }));
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
