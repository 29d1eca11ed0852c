import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
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
import { ScriptNonce } from './layout/head-script.tsx';
import type { RenderMail, RenderNotice } from './mails/mail-content.ts';

await Promise.all(LANGUAGE_CODES.map(loadMessages));

/** Renders the whole page before the first byte is sent, as pages are cached (see `server/page-cache/page-cache.ts`). */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { client, reportFailure, scriptNonce } = context.get(backendContext);
  headers.set('content-type', 'text/html; charset=utf-8');
  const page = (
    <ScriptNonce value={scriptNonce}>
      <ClientProvider client={client}>
        <ServerRouter context={entryContext} url={request.url} nonce={scriptNonce} />
      </ClientProvider>
    </ScriptNonce>
  );
  const { html, failed } = await renderDocument(page, { nonce: scriptNonce, reportFailure });
  return new Response(html, { status: failed ? 500 : status, headers });
}

/** Renders a document with all of its parts, also those that wait for what they show. */
async function renderDocument(
  page: ReactNode,
  { nonce, reportFailure }: { nonce: string; reportFailure(error: unknown): void },
): Promise<{ html: string; failed: boolean }> {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let failed = false;
  const { pipe } = renderToPipeableStream(page, {
    // A part that is large would come at the end, and need a script to be put into its place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    nonce,
    onAllReady: resolve,
    onShellError: reject,
    onError(error) {
      failed = true;
      reportFailure(error);
    },
  });
  await ready;
  return { html: await text(pipe(new PassThrough())), failed };
}

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
