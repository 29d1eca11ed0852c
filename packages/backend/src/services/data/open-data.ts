import { randomUUID } from 'node:crypto';
import type { SearchResult } from '@fabrica/contract';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Gate, GuardedFetcher } from '../../fetcher/index.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { SaveFile } from '../storage/index.ts';
import { createBrowser } from './browser/create-browser.ts';
import { createDocuments } from './documents/create-documents.ts';
import { createBackground } from './requests/background.ts';
import { dataRoutes } from './routes.ts';
import { createSearxng } from './search/searxng.ts';
import type { DataSettings } from './settings.ts';

/** Results that others of us ask for at once: what the first page of an engine has. */
const FEW = 8;

export interface DataOptions {
  /** What decides where the browser may go; the fetcher has it already. */
  gate: Gate;
  fetcher: GuardedFetcher;
  saveFile: SaveFile;
  settings: DataSettings;
  /** Milliseconds that a search may take; the engine's own limit, if left out. */
  searchTimeout?: number;
  userAgent: string;
  secretsKey: Buffer;
  limits: RateLimits;
  log: Logger;
}

export interface OpenData {
  /** For `/api/data/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** The first pages that are found, in whatever language; undefined: there is no search. */
  search: ((query: string, signal: AbortSignal) => Promise<SearchResult[]>) | undefined;
  /** Ends what is under way, browser and threads. */
  close(): Promise<void>;
}

/** The data service of the wire contract, for signed-in callers and the secret key. */
export function openData({
  gate,
  fetcher,
  saveFile,
  settings: { searchUrl, chromium, environment },
  searchTimeout,
  userAgent,
  secretsKey,
  limits,
  log,
}: DataOptions): OpenData {
  const documents = createDocuments();
  const browser = createBrowser({ gate, executable: chromium, environment, log });
  const background = createBackground(log);
  const engine =
    searchUrl === undefined
      ? undefined
      : createSearxng({ url: searchUrl, userAgent, timeout: searchTimeout });
  const routes = dataRoutes({
    gate,
    fetcher,
    documents,
    browser,
    engine,
    async keepPicture({ project, caller, bytes }) {
      const path = `screenshots/${randomUUID()}.png`;
      return (await saveFile({ project, caller, path, bytes })).publicUrl;
    },
    background,
    limits,
    secretsKey,
  });
  return {
    routes,
    search:
      engine &&
      (async (query, signal) => {
        const search = { query, language: 'all', kind: undefined, limit: FEW };
        return (await engine.search(search, signal)).organic_results;
      }),
    async close() {
      await background.close();
      await Promise.all([documents.close(), browser.close(), engine?.close()]);
    },
  };
}
