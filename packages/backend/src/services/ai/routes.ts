import { Hono } from 'hono';
import type { Logger } from 'pino';
import { requireSignedIn } from '../../core/caller.ts';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimit, RateLimits } from '../../http/rate-limit.ts';
import type { SaveFile } from '../storage/index.ts';
import type { AiContext, Search } from './context.ts';
import { imageRoutes } from './image/routes.ts';
import { createAiModels } from './models/models.ts';
import { createProviderFetch } from './models/provider-fetch.ts';
import { objectRoutes } from './object/routes.ts';
import type { AiSettings } from './settings.ts';
import { speechRoutes } from './speech/routes.ts';
import { textRoutes } from './text/routes.ts';
import { transcribeRoutes } from './transcribe/routes.ts';
import { createAiUsage } from './usage/ai-usage.ts';

/** Calls of a user in a minute, whatever their outcome. */
const CALLS: RateLimit = { name: 'ai', points: 600, duration: 60 };
/** Calls of a user in a minute with images or sound. */
const MEDIA_CALLS: RateLimit = { name: 'ai-media', points: 60, duration: 60 };
const MEDIA = /\/(?:image|speech|transcribe)$/;

/** Milliseconds that a model may take to its first byte. */
const FIRST_BYTE_TIMEOUT_MS = 30_000;

export interface AiOptions {
  settings: AiSettings;
  fetcher: GuardedFetcher;
  saveFile: SaveFile;
  limits: RateLimits;
  /** Searches the web for models; `undefined` when no search engine is configured. */
  search?: Search | undefined;
  log: Logger;
  /** Milliseconds that a model may take to its first byte; 30 s by default. */
  timeout?: number;
}

export interface Ai {
  /** Routes of `/api/ai/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** Waits until all calls are recorded. */
  close(): Promise<void>;
}

/** Creates the AI service of the wire contract, for signed-in callers and the secret key. */
export function openAi({
  settings,
  timeout = FIRST_BYTE_TIMEOUT_MS,
  search,
  ...dependencies
}: AiOptions): Ai {
  const { fetcher, saveFile, limits, log } = dependencies;
  const usage = createAiUsage({ ...settings, log });
  const models = createAiModels(settings, createProviderFetch({ fetcher, baseUrl: settings.baseUrl }));
  const context: AiContext = { models, usage, fetcher, saveFile, search, log, timeout };
  const routes = new Hono<AppEnvironment>();
  routes.use(async (c, next) => {
    const caller = requireSignedIn(c.var.caller);
    if (caller.kind === 'user') {
      const key = `${c.var.project.definition.id}:${caller.id}`;
      await limits.consume(CALLS, key);
      if (MEDIA.test(c.req.path)) await limits.consume(MEDIA_CALLS, key);
    }
    await next();
  });
  routes.route('/text', textRoutes(context));
  routes.route('/object', objectRoutes(context));
  routes.route('/image', imageRoutes(context));
  routes.route('/speech', speechRoutes(context));
  routes.route('/transcribe', transcribeRoutes(context));
  return { routes, close: usage.close };
}
