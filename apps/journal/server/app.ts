import { readdirSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { type Backend, type Config, createRequestIds, type SharedBindings, share } from '@fabrica/backend';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import type { AssetStore } from './asset-store.ts';
import { listBuiltFiles } from './built-files.ts';
import { hstsHeaders, withHsts } from './connections/https-only.ts';
import type { Frontend } from './frontend.ts';
import { FORM_PAGES, readPageForm } from './page-form.ts';
import { createPages, type Pages } from './pages.ts';
import type { PageRequest } from './reader-fetch.ts';
import { createRequestKey } from './response-cache/request-key.ts';
import { createResponseCache } from './response-cache/response-cache.ts';
import { PLAIN_HEADERS } from './security-headers.ts';
import type { SendContact } from './send-contact.ts';
import { createSessionCookie } from './session-cookie.ts';
import type { ReadSite } from './site-reader.ts';
import { isUnavailable, RETRY_SECONDS } from './try-again.ts';

export interface AppOptions {
  backend: Backend;
  config: Config;
  log: Logger;
  frontend: Frontend;
  /** The built files of other versions. */
  assets: Pick<AssetStore, 'read'>;
  readSite: ReadSite;
  sendContact: SendContact;
  parseMarkdown: ParseMarkdown;
}

interface NodeBindings {
  Bindings: SharedBindings & { incoming: IncomingMessage };
}

/** Handles all requests of the product. */
export interface App {
  listener: RequestListener;
  /** Waits for the pages in progress. */
  close: Pages['close'];
}

const CACHE_FOR_YEAR = 'public, max-age=31536000, immutable';

/** Creates the app, which serves the backend, the built files and the pages on one origin. */
export function createApp(options: AppOptions): App {
  const { backend, config, log, frontend, assets, readSite, sendContact, parseMarkdown } = options;
  const app = new Hono<NodeBindings>();
  app.route('/', backend.app);
  const files = frontend.clientFolder === undefined ? undefined : listBuiltFiles(frontend.clientFolder);
  if (frontend.clientFolder && files) {
    // Only the built files are looked up on the disk; every other path is a page.
    for (const entry of readdirSync(frontend.clientFolder, { withFileTypes: true })) {
      app.get(entry.isDirectory() ? `/${entry.name}/*` : `/${entry.name}`, async (c, next) => {
        return (await files.serve(c)) ?? next();
      });
    }
    app.get('/assets/:name', async (c) => {
      const asset = await assets.read(c.req.param('name'), c.req.header('accept-encoding'));
      if (!asset)
        return c.text('There is no such file.', 404, { ...PLAIN_HEADERS, 'Cache-Control': 'no-store' });
      return c.body(asset.content, 200, {
        ...PLAIN_HEADERS,
        ...asset.headers,
        'Cache-Control': CACHE_FOR_YEAR,
      });
    });
  }
  app.onError((err, c) => {
    log.error({ path: c.req.path, err });
    if (isUnavailable(err)) {
      const headers = { ...PLAIN_HEADERS, 'retry-after': RETRY_SECONDS };
      return c.text('This cannot be read at the moment. Please try again soon.', 503, headers);
    }
    return c.text('Something went wrong on our side. Please try again.', 500, PLAIN_HEADERS);
  });
  const pages = createPages({
    backend,
    config,
    log,
    build: frontend.build,
    mode: frontend.mode,
    readSite,
    sendContact,
    parseMarkdown,
  });
  app.on(['GET', 'HEAD'], '*', (c) => pages.handle(pageRequest(c)));
  app.post('*', async (c, next) => {
    if (!FORM_PAGES.test(c.req.path)) return next();
    const request = pageRequest(c);
    const read = await readPageForm({ request, body: c.req.raw.body, publicUrl: config.publicUrl });
    return 'form' in read
      ? pages.handle({ ...request, form: read.form })
      : c.text(read.message, read.status, PLAIN_HEADERS);
  });
  app.all('*', (c) =>
    c.text('Method not allowed', 405, {
      ...PLAIN_HEADERS,
      Allow: FORM_PAGES.test(c.req.path) ? 'GET, HEAD, POST' : 'GET, HEAD',
    }),
  );
  const { hasSession } = createSessionCookie(config.publicUrl);
  const responses = createResponseCache({
    keyOf: createRequestKey({ isBuilt: (path) => files?.has(path) === true, hasSession }),
    requestIds: createRequestIds(config.trustedProxies),
    logRequest: backend.logRequest,
    headers: hstsHeaders(config),
  });
  backend.meter?.addCache('responses', () => responses.usage);
  const router = getRequestListener(async (request, environment) => {
    const bindings = environment as NodeBindings['Bindings'];
    const response = await app.fetch(request, bindings);
    const { incoming, shared } = bindings;
    return shared ? responses.keep(incoming, response, shared) : response;
  });
  const routed = withHsts(router, config);
  return {
    listener: (incoming, outgoing) => {
      if (!responses.serve(incoming, outgoing)) routed(incoming, outgoing);
    },
    close: pages.close,
  };
}

function pageRequest(c: Context<NodeBindings>): PageRequest {
  const { incoming } = c.env;
  return {
    method: c.req.method,
    url: c.req.url,
    incoming,
    header: (name) => incoming.headers[name]?.toString(),
    share: (shared) => share(c, shared),
  };
}
