import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startImageSite } from '@fabrica/test-peers/image-site.ts';
import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { Hono } from 'hono';
import { pino } from 'pino';
import type { Caller } from '../../src/core/caller.ts';
import { migrateToLatest, writeMigrations } from '../../src/database/index.ts';
import { createGate, createGuardedFetcher } from '../../src/fetcher/index.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import { type AiOptions, aiMigrations } from '../../src/services/ai/index.ts';
import { openAi } from '../../src/services/ai/routes.ts';
import type { AiSettings } from '../../src/services/ai/settings.ts';
import { analyticsMigrations } from '../../src/services/analytics/index.ts';
import { authMigrations } from '../../src/services/auth/index.ts';
import { storageMigrations } from '../../src/services/storage/index.ts';
import { buildTestStorage, PUBLIC_URL } from '../storage/build-test-storage.ts';
import { readTestResponse, type TestResponse } from '../test-response.ts';

export interface TestAiOptions extends Partial<AiSettings> {
  saveFile?: AiOptions['saveFile'];
  search?: AiOptions['search'];
  rateLimit?: boolean;
  keepAlive?: number;
}

/**
 * Starts the AI service as `createBackend` mounts it, with storage on a temporary folder and database, the stand-in as
 * its provider, a site with HTTPS under `pictures.test`, and a canary that must never be connected to. The `x-caller`
 * header names the caller: `service`, a user’s id, or nobody.
 */
export async function buildTestMedia({ quota = 0 } = {}) {
  const storage = await buildTestStorage({ quota });
  await migrateToLatest(storage.project.database, {
    ...authMigrations,
    ...storageMigrations,
    ...analyticsMigrations,
    ...writeMigrations,
    ...aiMigrations,
  });
  const provider = await startOpenAiStandIn();
  const site = await startImageSite('pictures.test');
  setDefaultCACertificates([...getCACertificates('default'), site.certificate]);
  const touched: string[] = [];
  const canary = createSocketServer((socket) => {
    touched.push(String(socket.remoteAddress));
    socket.destroy();
  });
  await listen(canary);
  const gate = createGate({
    allowHosts: [new URL(site.at('/')).host],
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const fetcher = createGuardedFetcher({ gate, userAgent: 'Fabrica' });
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const models = {
    ...{ text: undefined, judge: undefined, vision: undefined },
    ...{ image: 'painter', speech: 'speaker', transcribe: 'writer' },
  };
  const opened: { close(): Promise<void> }[] = [];

  /** Starts a service with other settings. */
  function open({
    timeout = 3_000,
    saveFile = storage.saveFile,
    search,
    rateLimit = false,
    keepAlive = 10_000,
    ...settings
  }: TestAiOptions = {}) {
    const ai = openAi({
      limits: createRateLimits({ enabled: rateLimit }),
      isNewAccount: async () => false,
      noticeBudget: () => undefined,
      settings: {
        provider: undefined,
        judgeMeasured: null,
        baseUrl: provider.url,
        apiKey: 'key-of-the-operator',
        models,
        timeout,
        concurrency: 8,
        dailyCalls: 0,
        dailyTokens: 0,
        newAccountCalls: 0,
        newAccountTokens: 0,
        projectDailyCalls: 0,
        projectDailyTokens: 0,
        ...settings,
      },
      fetcher,
      saveFile,
      search,
      log,
      keepAlive,
    });
    opened.push(ai);
    const app = new Hono<AppEnvironment>();
    app.onError((error) => {
      log.error({ err: error });
      return presentError(error);
    });
    app.use('/api/ai/:projectId/*', async (c, next) => {
      c.set('caller', callerNamed(c.req.header('x-caller')));
      c.set('project', storage.project);
      await next();
    });
    app.route('/api/ai/:projectId', ai.routes);
    return app;
  }

  const usual = open();
  return {
    storage,
    provider,
    /** Files served under `https://pictures.test:<port>/…`. */
    site,
    canaryPort: portOf(canary),
    touched,
    logged,
    models,
    open,
    async ask(call: string, body: unknown, { app = usual, as = 'user_ana' } = {}): Promise<TestResponse> {
      const response = await app.request(`/api/ai/journal/${call}`, {
        method: 'POST',
        headers: as ? { 'x-caller': as } : {},
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return readTestResponse(response);
    },
    /** Fetches a file by its URL. */
    async read(url: string) {
      const response = await storage.app.request(url.slice(PUBLIC_URL.length));
      return {
        type: response.headers.get('content-type'),
        disposition: response.headers.get('content-disposition'),
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    },
    /** Returns the recorded calls, newest last. */
    async ledger() {
      await Promise.all(opened.map((ai) => ai.close()));
      const { reader } = storage.project.database;
      const rows = await reader.selectFrom('ai_usage').selectAll().orderBy('created_at').execute();
      return rows as Record<string, unknown>[];
    },
    forget() {
      provider.reset();
      logged.length = 0;
      touched.length = 0;
      site.requested.length = 0;
    },
    async close() {
      await Promise.all(opened.map((ai) => ai.close()));
      await fetcher.close();
      canary.close();
      await site.close();
      await provider.close();
      await storage.close();
    },
  };
}

export type TestMedia = Awaited<ReturnType<typeof buildTestMedia>>;

function listen(server: SocketServer): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
}

const portOf = (server: SocketServer) => (server.address() as AddressInfo).port;

function callerNamed(name: string | undefined): Caller {
  if (!name) return { kind: 'anonymous' };
  if (name === 'service') return { kind: 'service' };
  return { kind: 'user', id: name, email: `${name}@example.org`, displayName: null, role: 'author' };
}
