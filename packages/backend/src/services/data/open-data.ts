import { randomUUID } from 'node:crypto';
import type { SearchResult } from '@fabrica/contract';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { KeyRing } from '../../core/key-ring.ts';
import type { Project } from '../../database/project.ts';
import type { Gate, GuardedFetcher } from '../../fetcher/index.ts';
import type { NoticeBudget } from '../../http/daily-budget.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { SaveFile } from '../storage/index.ts';
import { createBrowser } from './browser/browser.ts';
import { createDocuments } from './documents/documents.ts';
import { createBackground } from './requests/background.ts';
import type { SpendOutgoing } from './requests/outgoing-budget.ts';
import { dataRoutes } from './routes.ts';
import { createSearxng } from './search/searxng.ts';
import type { DataSettings } from './settings.ts';

/** Results of a search for other services: the first page of an engine. */
const SEARCH_RESULTS = 8;

export interface DataOptions {
  /** Judges where the browser may go; the fetcher has it already. */
  gate: Gate;
  fetcher: GuardedFetcher;
  saveFile: SaveFile;
  settings: DataSettings;
  /** Milliseconds that a search may take; 10 s by default. */
  searchTimeout?: number;
  userAgent: string;
  secretsKeys: KeyRing;
  limits: RateLimits;
  /** Tells whether an account has only the budgets of new ones. */
  isNewAccount(project: Project, userId: string): Promise<boolean>;
  noticeBudget: NoticeBudget;
  log: Logger;
}

interface OpenDataOptions extends Omit<DataOptions, 'isNewAccount' | 'noticeBudget'> {
  spend: SpendOutgoing;
}

interface OpenData {
  /** Routes of `/api/data/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** Searches the web in all languages; `undefined` when no search engine is configured. */
  search: ((query: string, signal: AbortSignal) => Promise<SearchResult[]>) | undefined;
  /** Ends all work, the browser and the threads. */
  close(): Promise<void>;
}

/** Creates the data service of the wire contract, for signed-in callers and the secret key. */
export function openData({
  gate,
  fetcher,
  saveFile,
  settings,
  spend,
  searchTimeout,
  userAgent,
  secretsKeys,
  limits,
  log,
}: OpenDataOptions): OpenData {
  const { searchUrl, environment } = settings;
  const documents = createDocuments();
  const browser = createBrowser({ gate, environment, log });
  const background = createBackground(log);
  const engine =
    searchUrl === undefined
      ? undefined
      : createSearxng({ url: searchUrl, userAgent, timeout: searchTimeout });
  const routes = dataRoutes({
    spend,
    gate,
    fetcher,
    documents,
    browser,
    engine,
    async saveScreenshot({ project, caller, bytes }) {
      const path = `screenshots/${randomUUID()}.png`;
      return (await saveFile({ project, caller, path, bytes })).publicUrl;
    },
    background,
    limits,
    secretsKeys,
  });
  return {
    routes,
    search:
      engine &&
      (async (query, signal) => {
        const search = { query, language: 'all', kind: undefined, limit: SEARCH_RESULTS };
        return (await engine.search(search, signal)).organic_results;
      }),
    async close() {
      await background.close();
      await Promise.all([documents.close(), browser.close(), engine?.close()]);
    },
  };
}
