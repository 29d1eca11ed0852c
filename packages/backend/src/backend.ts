import { mkdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { guardOf } from './backup/index.ts';
import type { Config } from './config.ts';
import { type Bus, createInProcessBus } from './core/bus.ts';
import { AppError, isOurFault, isReliedOnFault } from './core/errors.ts';
import { loadKeys } from './core/keys.ts';
import { closedTables, type ProjectDefinition } from './core/project.ts';
import {
  createEngine,
  createServeRead,
  databaseRoutes,
  projectTables,
  type ServeRead,
} from './database/index.ts';
import type { Project } from './database/project.ts';
import { openProjects } from './database/project.ts';
import { createGate, createGuardedFetcher } from './fetcher/index.ts';
import { compressJson, createCompressAnswer } from './http/compression.ts';
import { cors, listOrigins } from './http/cors.ts';
import type { AppEnvironment } from './http/environment.ts';
import { isAllowedOrigin } from './http/is-allowed-origin.ts';
import { loadLater } from './http/lazy-service.ts';
import { presentError } from './http/present-error.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { loggedPath, requestContext } from './http/request-context.ts';
import {
  createOutboxMailer,
  createPostOffice,
  createSmtpMailer,
  type Mailer,
  parseSender,
  type RenderMail,
} from './mail/index.ts';
import { migrationsOf } from './project-database.ts';
import { openAi } from './services/ai/index.ts';
import { createAnalytics } from './services/analytics/index.ts';
import { createAuth, createProviders } from './services/auth/index.ts';
import { openData } from './services/data/index.ts';
import { createNotices, notificationRoutes, type RenderNotice } from './services/notifications/index.ts';
import {
  createInProcessBroker,
  createRealtime,
  createRedisBroker,
  type Realtime,
} from './services/realtime/index.ts';
import { createStorage, openBlobs, type ServeKept } from './services/storage/index.ts';

/** On whose behalf a call from within the process is made: limits count that one's address. */
export interface CallFrom {
  incoming?: IncomingMessage | undefined;
}

export interface Backend {
  /** All of `/api`, `/storage`, `/.well-known`, `/healthz`, `/readyz`; anything else is left to the caller's own routes. */
  app: Hono<AppEnvironment>;
  /** A call from within the process: no socket, the same rules. */
  fetch(request: Request, from?: CallFrom): Promise<Response>;
  /** Answers at once, without the routes, with the pictures that are asked for most; undefined for anything else. */
  serveKept: ServeKept;
  /** Answers reads of tables, as the routes would do; undefined for anything else. */
  serveRead: ServeRead;
  /** Takes websockets, whatever their path: for the `upgrade` event of the server. */
  handleUpgrade: Realtime['handleUpgrade'];
  /** Sends those who listen away, to another node: before a server is closed, which waits for its sockets. */
  endSockets: Realtime['endSockets'];
  bus: Bus;
  projects: ReadonlyMap<string, Project>;
  /** Who vouches for users, with the names that people know them by. */
  providers: readonly { id: string; label: string }[];
  /** May pages of this address's origin be handed tokens of the project? Our own may. */
  isAllowedOrigin(address: string, projectId: string): boolean;
  close(): Promise<void>;
}

/** Where addresses are limited at all: those of a school or an office share one. */
const SOCKETS_PER_ADDRESS = 1_000;

export interface BackendOptions {
  config: Config;
  projects: readonly ProjectDefinition[];
  log: Logger;
  /** Puts mails into words. */
  renderMail: RenderMail;
  /** The same for mails about what others did; without it, none of those are sent. */
  renderNotice?: RenderNotice;
}

/** Opens the projects' databases, brings them up to date and mounts the services. */
export async function createBackend({
  config,
  projects: definitions,
  log,
  renderMail,
  renderNotice,
}: BackendOptions): Promise<Backend> {
  mkdirSync(config.dataDir, { recursive: true });
  const hold = await guardOf(config).share();
  const keys = await loadKeys(join(config.dataDir, 'keys'));
  const engine = createEngine(config);
  const projects = await openProjects(
    definitions.map((definition) => {
      const secretKey = definition.id === config.projectId ? config.secretKey : undefined;
      return { definition, engine, keys, migrationsOf, secretKey };
    }),
  ).catch(async (error) => {
    await engine.close();
    await hold.release();
    throw error;
  });
  logProjects(log, definitions);

  const bus = createInProcessBus();
  const limits = createRateLimits({ enabled: config.rateLimit });
  const origins = listOrigins(config.publicUrl, definitions);
  const mayBeHandedTokens = (address: string, projectId: string) =>
    isAllowedOrigin(address, origins.of(projectId));
  const office = createPostOffice({ projects, mailer: openMailer(config), from: config.mail.from, log });
  const { publicUrl } = config;
  const notices =
    renderNotice && createNotices({ projects, bus, keys, office, render: renderNotice, publicUrl, log });
  const providers = createProviders(config.providers);
  const auth = createAuth({
    projects,
    keys,
    limits,
    bus,
    log,
    office,
    renderMail,
    isAllowedOrigin: mayBeHandedTokens,
    settings: config,
    providers,
  });
  const storage = createStorage({
    ...openBlobs({ dataDir: config.dataDir, s3: config.storage.s3 }),
    publicUrl: config.storage.publicUrl,
    quota: config.storage.quota,
    projects,
    bus,
    limits,
    log,
  });
  const { keepFile } = storage;
  const gate = createGate({ allowHosts: config.data.allowHosts });
  const userAgent = `Fabrica (+${config.publicUrl})`;
  const fetcher = createGuardedFetcher({ gate, userAgent });
  const data = loadLater(() =>
    openData({
      ...config.data,
      gate,
      fetcher,
      keepFile,
      userAgent,
      secretsKey: keys.secretsKey,
      limits,
      log,
    }),
  );
  const ai = loadLater(async () => {
    const search = config.data.searchUrl ? (await data.loaded()).search : undefined;
    return openAi({ settings: config.ai, fetcher, keepFile, limits, search, log });
  });

  const analytics = createAnalytics({
    projects,
    limits,
    origins,
    retention: config.analyticsRetention,
    log,
  });
  const realtime = createRealtime({
    broker: config.redisUrl
      ? await createRedisBroker({ url: config.redisUrl, log })
      : createInProcessBroker(),
    authenticate: auth.authenticate,
    projects,
    origins,
    bus,
    rateLimits: limits,
    trustedProxies: config.trustedProxies,
    ...(config.rateLimit && { limits: { socketsPerAddress: SOCKETS_PER_ADDRESS } }),
    log,
  });

  const app = new Hono<AppEnvironment>();
  app.onError((error, c) => {
    const { requestId, log: lines } = c.var;
    const path = loggedPath(c.req.path);
    // What was given up because the caller has left is no failure.
    if (isOurFault(error) && !c.req.raw.signal.aborted) lines?.error({ requestId, path, err: error });
    if (isReliedOnFault(error)) {
      lines?.warn({ requestId, path, code: error.code }, 'A service that this one relies on failed');
    }
    return presentError(error, c);
  });

  const tablesOf = projectTables();
  const scoped = new Hono<AppEnvironment>();
  const services = {
    db: databaseRoutes({ bus, tablesOf }),
    storage: storage.apiRoutes,
    ai: ai.routes,
    data: data.routes,
    realtime: realtime.routes,
    analytics: analytics.routes,
    notifications: notificationRoutes({
      office,
      limits,
      keys,
      publicUrl,
      sender: parseSender(config.mail.from),
      fetcher,
    }),
  };
  for (const [service, routes] of Object.entries(services)) {
    // Each by its name: a parameter in its place would cost every request the faster of Hono's routers.
    scoped.use(`/api/${service}/:projectId/*`, async (c, next) => {
      const project = projects.get(c.req.param('projectId'));
      if (!project) throw new AppError('PROJECT_NOT_FOUND', 'There is no project of this id here.');
      c.set('project', project);
      c.set('caller', await auth.authenticate(c.req.header('authorization'), project));
      await next();
    });
    scoped.route(`/api/${service}/:projectId`, routes);
  }

  for (const path of ['/api/*', '/.well-known/*', '/healthz', '/readyz'])
    app.use(path, requestContext(log, config.trustedProxies));
  app.use('/storage/*', requestContext(log, config.trustedProxies));
  app.use('/api/*', cors(origins));
  app.use('/api/*', compressJson);
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', (c) => {
    const { ready, reason } = realtime.state();
    const parts = { realtime: ready ? 'ok' : (reason ?? 'unavailable') };
    return c.json({ status: ready ? 'ok' : 'unavailable', parts }, ready ? 200 : 503);
  });
  app.get('/.well-known/jwks.json', async (c) =>
    c.json(await keys.jwks(), 200, { 'cache-control': 'public, max-age=300' }),
  );
  app.route('/api/auth', auth.routes);
  app.route('/', scoped);
  app.route('/storage/:projectId', storage.fileRoutes);
  for (const path of ['/api/*', '/storage/*']) {
    app.all(path, () => {
      throw new AppError('NOT_FOUND', 'There is nothing at this address.');
    });
  }

  return {
    app,
    fetch: async (request, from) => app.fetch(request, from),
    serveKept: storage.serveKept,
    serveRead: createServeRead({
      projects,
      tablesOf,
      authenticate: auth.authenticate,
      origins,
      compress: createCompressAnswer(),
      log,
    }),
    handleUpgrade: realtime.handleUpgrade,
    endSockets: realtime.endSockets,
    bus,
    projects,
    providers: providers.map(({ id, label }) => ({ id, label })),
    isAllowedOrigin: mayBeHandedTokens,
    async close() {
      await realtime.close();
      await notices?.close();
      await Promise.all([ai.close(), data.close(), analytics.close()]);
      await fetcher.close();
      await office.close();
      await storage.close();
      for (const { database } of projects.values()) await database.close();
      await engine.close();
      await hold.release();
    },
  };
}

function logProjects(log: Logger, definitions: readonly ProjectDefinition[]): void {
  log.info({ projects: definitions.map(({ id }) => id) }, 'Projects');
  for (const definition of definitions) {
    const tables = closedTables(definition);
    if (tables.length === 0) continue;
    log.info(
      { project: definition.id, tables },
      'No policy names these tables: they are closed to all but the secret key',
    );
  }
}

function openMailer({ mail: { smtpUrl, from }, dataDir }: Config): Mailer {
  return smtpUrl
    ? createSmtpMailer({ url: smtpUrl, from })
    : createOutboxMailer({ folder: join(dataDir, 'outbox'), from });
}
