import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
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
import { LANGUAGE_CODES } from './language/languages.ts';
import { loadMessages } from './language/load-messages.ts';
import type { RenderMail, RenderNotice } from './mails/mail-content.ts';
import styles from './styles.css?inline';

await Promise.all(LANGUAGE_CODES.map(loadMessages));

/** Renders the whole page before the first byte is sent, as pages are cached (see `server/page-cache.ts`). */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { client, reportFailure } = context.get(backendContext);
  const page = (
    <ClientProvider client={client}>
      <ServerRouter context={entryContext} url={request.url} />
    </ClientProvider>
  );
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  let failed = false;
  const { pipe } = renderToPipeableStream(page, {
    onAllReady() {
      headers.set('Content-Type', 'text/html; charset=utf-8');
      text(pipe(new PassThrough())).then(
        (body) => resolve(new Response(paintFirst(body), { status: failed ? 500 : status, headers })),
        reject,
      );
    },
    onShellError: reject,
    onError(error) {
      failed = true;
      reportFailure(error);
    },
  });
  return promise;
}

const SCRIPT_PRELOAD = /<link rel="modulepreload"[^>]*>/g;

/**
 * Puts the style sheet into the page, so that the first paint waits for nothing else; React leaves a `style` element that
 * it does not know where it is. On a page with an artwork, the scripts are left to be found once the page is read, so
 * that the artwork does not share the connection with them from the start.
 */
function paintFirst(page: string): string {
  if (import.meta.env.DEV) return page;
  const styled = page.replace('</head>', () => `<style>${styles}</style></head>`);
  return styled.includes('<link rel="preload" as="image"') ? styled.replaceAll(SCRIPT_PRELOAD, '') : styled;
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
