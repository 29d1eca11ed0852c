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
import { type Engine, migrateToLatest } from '../../src/database/index.ts';
import type { Project } from '../../src/database/project.ts';
import { createGate, createGuardedFetcher } from '../../src/fetcher/index.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import { defineProject } from '../../src/project-database.ts';
import { analyticsMigrations } from '../../src/services/analytics/index.ts';
import { authMigrations } from '../../src/services/auth/migrations.ts';
import { dataMigrations, keepSecret } from '../../src/services/data/index.ts';
import { openData } from '../../src/services/data/open-data.ts';
import { createStorage, openBlobs, storageMigrations } from '../../src/services/storage/index.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestDataOptions {
  /** Closed with the rest. SQLite, if left out: secrets alone are kept in a database. */
  engine?: Engine;
  rateLimit?: boolean;
  /** Milliseconds that an answer may take. */
  timeout?: number;
  searchUrl?: string;
  searchTimeout?: number;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  body: any;
}

/**
 * The data service on a temporary folder and database, mounted as `createBackend` does it; who calls is what the
 * `x-caller` header says. Beside it a site that the operator has allowed, under the names `127.0.0.1`, `api.test` and
 * `other.test`, and a canary on every address of this machine that nothing of ours may ever connect to.
 */
export async function buildTestData({
  engine: given,
  rateLimit,
  searchUrl,
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
    ...dataMigrations,
  });
  const project: Project = { definition, database, secretKey: 'sk_test' };
  const secretsKey = randomBytes(32);

  const touched: string[] = [];
  const canary = await listen(
    createServer((request, response) => response.end(`canary ${request.url}`)),
    '::',
  );
  canary.on('connection', ({ remoteAddress }) => touched.push(String(remoteAddress)));
  const site = {
    handler: ((_, response) => response.end()) as Handler,
    /** Bytes that were written to whoever asked, by connection. */
    written: [] as (() => number)[],
  };
  const server = await listen(
    createServer((request, response) => site.handler(request, response)),
    '127.0.0.1',
  );
  server.on('connection', (socket) => site.written.push(() => socket.bytesWritten));

  /** What the name service says. */
  const names: Record<string, string[]> = { 'api.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
  const lookedUp: string[] = [];
  const gate = createGate({
    allowHosts: ['127.0.0.1', 'api.test', 'other.test'].map((host) => `${host}:${portOf(server)}`),
    resolver: async (host) => {
      lookedUp.push(host);
      const found = names[host];
      if (!found) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
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
  const data = openData({
    gate,
    fetcher,
    saveFile: storage.saveFile,
    settings: { searchUrl, chromium: undefined, environment: process.env },
    ...(limits.searchTimeout !== undefined && { searchTimeout: limits.searchTimeout }),
    userAgent: 'Fabrica',
    secretsKey,
    limits: rateLimits,
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

  async function send(path: string, { headers, ...init }: RequestInit, as = 'user_ana'): Promise<TestAnswer> {
    // Forms as their bytes: a stream that Node makes of one cannot be left unread.
    const form = init.body instanceof FormData ? new Response(init.body) : undefined;
    const answer = await app.request(`/api/data/journal/${path}`, {
      method: 'POST',
      ...init,
      ...(form && { body: await form.arrayBuffer() }),
      headers: {
        ...(form && { 'content-type': form.headers.get('content-type') ?? '' }),
        ...(headers as Record<string, string>),
        ...(as && { 'x-caller': as }),
      },
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }

  return {
    project,
    secretsKey,
    site,
    /** An address of the site. */
    at: (path = '/', host = '127.0.0.1') => `http://${host}:${portOf(server)}${path}`,
    sitePort: portOf(server),
    canaryPort: portOf(canary),
    /** Who connected to the canary. */
    touched,
    names,
    lookedUp,
    /** Lines of the log, as JSON. */
    logged,
    send,
    /** As JSON, unless it is text already. */
    post: (path: string, body: unknown, as?: string) =>
      send(
        path,
        {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        },
        as,
      ),
    keepSecret: (name: string, value: string, hosts: string[]) =>
      keepSecret(project, secretsKey, { name, value, hosts }),
    /** As other services have it. */
    search: data.search,
    /** Ends the service alone. */
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
