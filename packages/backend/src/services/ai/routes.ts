import { Hono } from 'hono';
import type { Logger } from 'pino';
import { requireSignedIn } from '../../core/caller.ts';
import type { Project } from '../../database/project.ts';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import type { NoticeBudget } from '../../http/daily-budget.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimit, RateLimits } from '../../http/rate-limit.ts';
import type { Meter } from '../../runtime/meter.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import type { SaveFile } from '../storage/index.ts';
import { runTextTask, type TextOfTask, type TextTask } from './calls/text-tasks.ts';
import type { AiContext, Search } from './context.ts';
import { imageRoutes } from './image/routes.ts';
import { createAiModels } from './models/models.ts';
import { createProviderFetch } from './models/provider-fetch.ts';
import { ProviderHealth } from './models/provider-health.ts';
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

/** Clients give up after 30 s without a byte, and proxies after 60 s. */
const KEEP_ALIVE_MS = 10_000;
/** Calls that may wait for the language model, of all callers and of one. */
const MAX_WAITING = { all: 1_000, perCaller: 100 };

export interface AiOptions {
  settings: AiSettings;
  fetcher: GuardedFetcher;
  saveFile: SaveFile;
  limits: RateLimits;
  /** Searches the web for models; `undefined` when no search engine is configured. */
  search?: Search | undefined;
  /** Tells whether an account has only the budgets of new ones. */
  isNewAccount(project: Project, userId: string): Promise<boolean>;
  noticeBudget: NoticeBudget;
  meter?: Meter | undefined;
  /** Is called with how calls of the provider end. */
  health?: ProviderHealth;
  log: Logger;
  /** Milliseconds after which a reader of a stream is notified that the model is still silent; 10 s by default. */
  keepAlive?: number;
}

export interface Ai {
  /** Routes of `/api/ai/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** Generates a text for a service of the product, as `runTextTask` does. */
  generate(task: TextTask): Promise<TextOfTask>;
  /** Waits until all calls are recorded. */
  close(): Promise<void>;
}

/** Creates the AI service of the wire contract, for signed-in callers and the secret key. */
export function openAi({ settings, keepAlive = KEEP_ALIVE_MS, search, ...dependencies }: AiOptions): Ai {
  const { fetcher, saveFile, limits, isNewAccount, noticeBudget, meter, log } = dependencies;
  const { health = new ProviderHealth() } = dependencies;
  const usage = createAiUsage({ ...settings, isNewAccount, limits, noticeBudget, meter, log });
  const noted = new Set<string>();
  const models = createAiModels(
    settings,
    createProviderFetch({ fetcher, baseUrl: settings.baseUrl, health }),
    (oddity) => {
      if (!noted.has(oddity)) log.warn(oddity);
      noted.add(oddity);
    },
  );
  const { concurrency, timeout } = settings;
  const semaphore = new Semaphore({
    concurrency,
    maxWaiting: MAX_WAITING.all,
    perKey: { concurrency, maxWaiting: MAX_WAITING.perCaller },
    fair: true,
  });
  meter?.addQueue('ai', semaphore);
  const temperatures = new Set<string>();
  const calls = { timeout, keepAlive, semaphore, temperatures };
  const context: AiContext = { models, usage, fetcher, saveFile, search, log, ...calls };
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
  return { routes, generate: (task) => runTextTask(context, task), close: usage.close };
}
