import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { pino } from 'pino';
import { createInProcessBus } from '../../src/core/bus.ts';
import type { Caller } from '../../src/core/caller.ts';
import { createSqliteEngine } from '../../src/database/engines/sqlite/sqlite-engine.ts';
import { type Engine, migrateToLatest, writeMigrations } from '../../src/database/index.ts';
import type { Project } from '../../src/database/project.ts';
import { createGate, createGuardedFetcher } from '../../src/fetcher/index.ts';
import type { NameResolver } from '../../src/fetcher/name-resolver.ts';
import type { ListInterfaces } from '../../src/fetcher/own-addresses.ts';
import { createBudgetNotices } from '../../src/http/daily-budget.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import { defineProject } from '../../src/project-database.ts';
import { analyticsMigrations } from '../../src/services/analytics/index.ts';
import { authMigrations } from '../../src/services/auth/migrations.ts';
import { createData, dataMigrations, saveSecret } from '../../src/services/data/index.ts';
import type { DataSettings } from '../../src/services/data/settings.ts';
import { createStorage, openBlobs, storageMigrations } from '../../src/services/storage/index.ts';
import { fixedKey } from '../fixed-key.ts';
import { readTestResponse, type TestResponse } from '../test-response.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface TestDataOptions {
  /** Engine that is closed with the rest; SQLite by default. The database holds secrets alone. */
  engine?: Engine;
  rateLimit?: boolean;
  /** Looks up names; by default those of `names`. */
  resolver?: NameResolver;
  settings?: Partial<DataSettings>;
  /** Lists the network interfaces; by default the system does. */
  interfaces?: ListInterfaces;
  /** Milliseconds that a response may take. */
  timeout?: number;
  searchUrl?: string;
  searchTimeout?: number;
}

/**
 * Starts the data service on a temporary folder and database, as `createBackend` mounts it. The `x-caller` header names
 * the caller. There is a site that the operator has allowed, as `127.0.0.1`, `api.test` and `other.test`, and a canary
 * on every IP address of this machine that must never be connected to.
 */
export async function buildTestData({
  engine: given,
  rateLimit,
  searchUrl,
  resolver,
  interfaces,
  settings,
  ...limits
}: TestDataOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'fabrica-data-'));
  const engine = given ?? createSqliteEngine(dataDir);
  const definition = defineProject({
    id: 'journal',
    tables: {},
    roles: { author: { permissions: ['*'] } },
    signUpRole: 'author',
    origins: [],
    migrations: {},
  });
  const database = await engine.open({ id: 'journal', schema: new Map() });
  await migrateToLatest(database, {
    ...authMigrations,
    ...storageMigrations,
    ...analyticsMigrations,
    ...writeMigrations,
    ...dataMigrations,
  });
  const project: Project = { definition, database, secretKey: 'sk_test' };
  const secretsKeys = fixedKey(randomBytes(32));

  const touched: string[] = [];
  const canary = await listen(
    createServer((request, response) => response.end(`canary ${request.url}`)),
    '::',
  );
  canary.on('connection', ({ remoteAddress }) => touched.push(String(remoteAddress)));
  const site = {
    handler: ((_, response) => response.end()) as Handler,
    /** Bytes written to the client, by connection. */
    written: [] as (() => number)[],
  };
  const server = await listen(
    createServer((request, response) => site.handler(request, response)),
    '127.0.0.1',
  );
  server.on('connection', (socket) => site.written.push(() => socket.bytesWritten));

  /** The IP addresses that DNS returns. */
  const names: Record<string, string[]> = { 'api.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
  const lookedUp: string[] = [];
  const gate = createGate({
    allowHosts: ['127.0.0.1', 'api.test', 'other.test'].map((host) => `${host}:${portOf(server)}`),
    ...(interfaces && { interfaces }),
    resolver:
      resolver ??
      (async (host) => {
        lookedUp.push(host);
        const found = names[host];
        if (!found) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
        return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      }),
  });
  const fetcher = createGuardedFetcher({ gate, userAgent: 'Fabrica', timeout: limits.timeout ?? 20_000 });
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void logged.push(line) });
  const rateLimits = createRateLimits({ enabled: rateLimit ?? false });
  const storage = createStorage({
    ...openBlobs({ dataDir, storage: { s3: undefined } }),
    publicUrl: 'https://journal.example',
    quota: 0,
    projects: new Map([['journal', project]]),
    bus: createInProcessBus(),
    limits: rateLimits,
    log,
  });
  const data = createData({
    gate,
    fetcher,
    saveFile: storage.saveFile,
    settings: {
      searchUrl,
      environment: process.env,
      newAccountCalls: 0,
      projectDailyCalls: 0,
      ...settings,
    },
    ...(limits.searchTimeout !== undefined && { searchTimeout: limits.searchTimeout }),
    userAgent: 'Fabrica',
    secretsKeys,
    limits: rateLimits,
    isNewAccount: async (_, userId) => userId.startsWith('new_'),
    noticeBudget: createBudgetNotices({ log }),
    log,
  });

  const app = new Hono<AppEnvironment>();
  app.onError((error) => presentError(error));
  app.use('/api/data/:projectId/*', async (c, next) => {
    c.set('requestId', 'request-1');
    c.set('project', project);
    c.set('caller', callerNamed(c.req.header('x-caller')));
    await next();
  });
  app.route('/api/data/:projectId', data.routes);

  async function send(
    path: string,
    { headers, ...init }: RequestInit,
    as = 'user_ana',
  ): Promise<TestResponse> {
    // Forms are sent as bytes, because a stream that Node makes of one must be read.
    const form = init.body instanceof FormData ? new Response(init.body) : undefined;
    const response = await app.request(`/api/data/journal/${path}`, {
      method: 'POST',
      ...init,
      ...(form && { body: await form.arrayBuffer() }),
      headers: {
        ...(form && { 'content-type': form.headers.get('content-type') ?? '' }),
        ...(headers as Record<string, string>),
        ...(as && { 'x-caller': as }),
      },
    });
    return readTestResponse(response);
  }

  return {
    project,
    secretsKeys,
    site,
    /** Returns a URL of the site. */
    at: (path = '/', host = '127.0.0.1') => `http://${host}:${portOf(server)}${path}`,
    sitePort: portOf(server),
    canaryPort: portOf(canary),
    /** Returns the connections to the canary. */
    touched,
    names,
    lookedUp,
    /** Returns the lines of the log, as JSON. */
    logged,
    send,
    /** Sends a body as JSON, unless it is text already. */
    post: (path: string, body: unknown, as?: string) =>
      send(
        path,
        {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        },
        as,
      ),
    saveSecret: (name: string, value: string, hosts: string[]) =>
      saveSecret(project, secretsKeys, { name, value, hosts }),
    /** Searches as other services do. */
    search: data.search,
    /** Closes the service alone. */
    stop: () => data.close(),
    async close() {
      await data.close();
      await fetcher.close();
      await storage.close();
      for (const one of [server, canary]) {
        one.closeAllConnections();
        one.close();
      }
      await database.close();
      await engine.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestData = Awaited<ReturnType<typeof buildTestData>>;

function listen(server: Server, host: string): Promise<Server> {
  return new Promise((resolve) => server.listen(0, host, () => resolve(server)));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function callerNamed(name: string | undefined): Caller {
  if (!name) return { kind: 'anonymous' };
  if (name === 'service') return { kind: 'service' };
  return { kind: 'user', id: name, email: `${name}@example.org`, displayName: null, role: 'author' };
}
