import {
  DEFAULT_CHUNK_SIZE,
  DEFAULT_SEARCH_RESULTS,
  type Extracted,
  type FetchTriggered,
} from '@fabrica/contract';
import {
  extractRequest,
  fetchRequest,
  SCRAPE_FORMATS,
  scrapeRequest,
  screenshotRequest,
  searchRequest,
} from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
import { type Caller, requireSignedIn } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import type { KeyRing } from '../../core/key-ring.ts';
import type { Project } from '../../database/project.ts';
import type { Gate, GuardedFetcher } from '../../fetcher/index.ts';
import { parseJsonBody } from '../../http/body.ts';
import { type AppEnvironment, accountKey } from '../../http/environment.ts';
import type { RateLimit, RateLimits } from '../../http/rate-limit.ts';
import { Semaphore, type SemaphoreOptions } from '../../runtime/semaphore.ts';
import type { Browser } from './browser/browser.ts';
import type { Document } from './documents/document.ts';
import type { Documents } from './documents/documents.ts';
import { receiveDocument } from './documents/receive-document.ts';
import type { Background } from './requests/background.ts';
import type { SpendOutgoing } from './requests/outgoing-budget.ts';
import { prepareRequest } from './requests/send-request.ts';
import type { SearchEngine } from './search/search-engine.ts';

/** Calls of a user in a minute. */
const CALLS: RateLimit = { name: 'data', points: 60, duration: 60 };
/** Screenshots of a user in a minute; each takes the browser one or two seconds. */
const SCREENSHOTS: RateLimit = { name: 'data-screenshot', points: 10, duration: 60 };

/** Each may hold 10 MB, and as much again as text and as JSON. */
const FETCHES: SemaphoreOptions = {
  concurrency: 16,
  perKey: { concurrency: 4, maxWaiting: 20 },
  fair: true,
};
const UPLOADS: SemaphoreOptions = {
  concurrency: 8,
  perKey: { concurrency: 2, maxWaiting: 20 },
  fair: true,
};

const DEFAULT_SIZE = { width: 1_280, height: 800 };
const DEFAULT_LANGUAGE = 'en';

interface DataRouteOptions {
  fetcher: GuardedFetcher;
  gate: Gate;
  documents: Documents;
  browser: Browser;
  /** Without an engine, `search` responds with SEARCH_NOT_CONFIGURED. */
  engine: SearchEngine | undefined;
  /** Stores a PNG as a file of the caller, and returns its public URL. */
  saveScreenshot(screenshot: { project: Project; caller: Caller; bytes: Uint8Array }): Promise<string>;
  background: Background;
  /** Counts a call to another server. */
  spend: SpendOutgoing;
  limits: RateLimits;
  secretsKeys: KeyRing;
}

/**
 * Returns the routes of `/api/data/{projectId}/…` of the wire contract ("Data"). They expect a project and a caller in
 * the context.
 */
export function dataRoutes(options: DataRouteOptions): Hono<AppEnvironment> {
  const { fetcher, documents, browser, engine } = options;
  const fetches = new Semaphore(FETCHES);
  const uploads = new Semaphore(UPLOADS);
  const routes = new Hono<AppEnvironment>();

  routes.use(async (c, next) => {
    requireSignedIn(c.var.caller);
    const key = accountKey(c.var);
    if (key !== undefined) {
      await options.limits.consume(CALLS, key);
      if (c.req.path.endsWith('/screenshot')) await options.limits.consume(SCREENSHOTS, key);
    }
    if (!c.req.path.endsWith('/extract-from-blob')) await options.spend(c.var.project, c.var.caller);
    await next();
  });

  function limited<T>(limit: Semaphore, c: Context<AppEnvironment>, work: () => Promise<T>): Promise<T> {
    return limit.run(work, { key: accountKey(c.var), signal: signalOf(c) });
  }

  /** Fetches a document. Throws what the fetcher throws, and FETCH_FAILED for a status of 400 or above. */
  async function fetchDocument(requestedUrl: string, c: Context<AppEnvironment>): Promise<Document> {
    const { status, headers, body, url } = await fetcher.fetch(requestedUrl, {
      signal: signalOf(c),
      account: accountKey(c.var),
      headers: { accept: 'text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.8' },
    });
    if (status >= 400) throw new AppError('FETCH_FAILED', `The address answers with status ${status}.`);
    return { bytes: body, contentType: headers['content-type'], url };
  }

  async function extract(
    document: Document,
    { chunking, chunkSize, signal }: Extraction,
  ): Promise<Extracted> {
    if (!chunking) return { text: await documents.extract(document, signal) };
    return { chunks: await documents.extractChunks(document, chunkSize ?? DEFAULT_CHUNK_SIZE, signal) };
  }

  routes.post('/extract-from-url', async (c) => {
    const { url, chunking, chunkSize } = await parseJsonBody(c, extractRequest);
    const signal = signalOf(c);
    const extracted = await limited(fetches, c, async () =>
      extract(await fetchDocument(url, c), { chunking, chunkSize, signal }),
    );
    return c.json(extracted);
  });

  routes.post('/extract-from-blob', async (c) => {
    const extracted = await limited(uploads, c, async () => {
      const { document, ...chunks } = await receiveDocument(c);
      return extract(document, { ...chunks, signal: signalOf(c) });
    });
    return c.json(extracted);
  });

  routes.post('/scrape', async (c) => {
    const { url, formats } = await parseJsonBody(c, scrapeRequest);
    const signal = signalOf(c);
    const scraped = await limited(fetches, c, async () =>
      documents.scrape(await fetchDocument(url, c), formats ?? SCRAPE_FORMATS, signal),
    );
    return c.json(scraped);
  });

  routes.post('/screenshot', async (c) => {
    const { url, fullPage, width, height } = await parseJsonBody(c, screenshotRequest);
    const size = { width: width ?? DEFAULT_SIZE.width, height: height ?? DEFAULT_SIZE.height };
    const bytes = await browser.screenshot(
      { url, fullPage: fullPage ?? false, ...size },
      { signal: signalOf(c), account: accountKey(c.var) },
    );
    return c.json({
      url: await options.saveScreenshot({ project: c.var.project, caller: c.var.caller, bytes }),
    });
  });

  routes.post('/fetch', async (c) => {
    const { async: inBackground, ...request } = await parseJsonBody(c, fetchRequest);
    const send = await prepareRequest(request, {
      ...options,
      project: c.var.project,
      account: accountKey(c.var),
    });
    if (!inBackground) return c.json(await limited(fetches, c, () => send(signalOf(c))));
    const key = accountKey(c.var);
    fetches.requireRoom(key);
    options.background.run(c.var.requestId, (signal) => fetches.run(() => send(signal), { key, signal }));
    return c.json({ status: 'triggered', message: 'The request is on its way.' } satisfies FetchTriggered);
  });

  routes.post('/search', async (c) => {
    const { q, hl, tbm, num } = await parseJsonBody(c, searchRequest);
    if (!engine) {
      throw new AppError(
        'SEARCH_NOT_CONFIGURED',
        'No search engine is set up here. The operator can name one in SEARCH_URL.',
      );
    }
    const search = {
      query: q,
      language: hl ?? DEFAULT_LANGUAGE,
      kind: tbm ?? undefined,
      limit: num ?? DEFAULT_SEARCH_RESULTS,
    };
    return c.json(await engine.search(search, signalOf(c)));
  });

  return routes;
}

/** Returns the signal that is aborted when the caller disconnects. */
function signalOf(c: Context): AbortSignal {
  return c.req.raw.signal;
}

interface Extraction {
  chunking?: boolean | null | undefined;
  chunkSize?: number | null | undefined;
  signal: AbortSignal;
}
