import { readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Backend, Config } from '@fabrica/backend';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import type { AssetStore } from './asset-store.ts';
import type { Frontend } from './frontend.ts';
import { FORM_PAGES, readPageForm } from './page-form.ts';
import { createPages, type Pages } from './pages.ts';
import type { PageRequest } from './reader-fetch.ts';
import type { SendContact } from './send-contact.ts';
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
  sendContact: SendContact | undefined;
  parseMarkdown: ParseMarkdown;
}

interface NodeBindings {
  Bindings: { incoming?: IncomingMessage | undefined };
}

/** Handles all requests of the product. `incoming` is Node's own request, where there is one. */
export interface App {
  fetch(request: Request, environment: NodeBindings['Bindings']): Response | Promise<Response>;
  /** Serves a page that is the same for all readers, without the router; undefined for any other request. */
  servePage: Pages['serveCached'];
  /** Waits for the pages in progress. */
  close: Pages['close'];
}

/** Headers of the few responses that are plain sentences. */
const PLAIN = { 'X-Content-Type-Options': 'nosniff' };
const CACHE_FOR_YEAR = 'public, max-age=31536000, immutable';
const CACHE_FOR_HOUR = 'public, max-age=3600';

/** Creates the app, which serves the backend, the built files and the pages on one origin. */
export function createApp(options: AppOptions): App {
  const { backend, config, log, frontend, assets, readSite, sendContact, parseMarkdown } = options;
  const app = new Hono<NodeBindings>();
  app.route('/', backend.app);
  if (frontend.clientFolder) {
    const files = serveStatic({
      root: frontend.clientFolder,
      precompressed: true,
      onFound: (path, c) => {
        c.header('Cache-Control', path.includes('/assets/') ? CACHE_FOR_YEAR : CACHE_FOR_HOUR);
        c.header('X-Content-Type-Options', 'nosniff');
      },
    });
    // Only the built files are looked up on the disk; every other path is a page.
    for (const entry of readdirSync(frontend.clientFolder, { withFileTypes: true })) {
      app.use(entry.isDirectory() ? `/${entry.name}/*` : `/${entry.name}`, files);
    }
    app.get('/assets/:name', async (c) => {
      const asset = await assets.read(c.req.param('name'), c.req.header('accept-encoding'));
      if (!asset) return c.text('There is no such file.', 404, { ...PLAIN, 'Cache-Control': 'no-store' });
      return c.body(asset.content, 200, { ...PLAIN, ...asset.headers, 'Cache-Control': CACHE_FOR_YEAR });
    });
  }
  app.onError((err, c) => {
    log.error({ path: c.req.path, err });
    if (isUnavailable(err)) {
      const headers = { ...PLAIN, 'retry-after': RETRY_SECONDS };
      return c.text('This cannot be read at the moment. Please try again soon.', 503, headers);
    }
    return c.text('Something went wrong on our side. Please try again.', 500, PLAIN);
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
  app.on(['GET', 'HEAD'], '*', (c) => pages.handle(pageRequest(c.req.raw, c.env.incoming)));
  app.post('*', async (c, next) => {
    if (!FORM_PAGES.test(c.req.path)) return next();
    const request = pageRequest(c.req.raw, c.env.incoming);
    const read = await readPageForm({ request, body: c.req.raw.body, publicUrl: config.publicUrl });
    return 'form' in read
      ? pages.handle({ ...request, form: read.form })
      : c.text(read.message, read.status, PLAIN);
  });
  app.all('*', (c) =>
    c.text('Method not allowed', 405, {
      ...PLAIN,
      Allow: FORM_PAGES.test(c.req.path) ? 'GET, HEAD, POST' : 'GET, HEAD',
    }),
  );
  return {
    fetch(request, { incoming }) {
      const throughRoutes = () => app.fetch(request, { incoming });
      if (incoming?.url?.startsWith('/storage/')) {
        const header = (name: string) => incoming.headers[name]?.toString();
        return (
          backend.serveCached({ method: incoming.method ?? '', url: incoming.url, header }) ?? throughRoutes()
        );
      }
      return throughRoutes();
    },
    servePage: pages.serveCached,
    close: pages.close,
  };
}

function pageRequest(request: Request, incoming: IncomingMessage | undefined): PageRequest {
  return {
    method: request.method,
    url: request.url,
    incoming,
    header: (name) =>
      incoming ? incoming.headers[name]?.toString() : (request.headers.get(name) ?? undefined),
  };
}
