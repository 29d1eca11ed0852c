import { mkdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { guardOf } from './backup/index.ts';
import type { Config } from './config.ts';
import { type Bus, createInProcessBus } from './core/bus.ts';
import { AppError, isOurFault, isReliedOnFault } from './core/errors.ts';
import { type Keys, loadKeys } from './core/keys.ts';
import type { ProjectDefinition } from './core/project.ts';
import { closedTables } from './core/validate-project.ts';
import { createEngine, openProjects, type Project } from './database/index.ts';
import { createGate, createGuardedFetcher } from './fetcher/index.ts';
import { compressJson } from './http/compression.ts';
import { cors, isAllowedOrigin, listOrigins, type OriginLists } from './http/cors.ts';
import type { AppEnvironment } from './http/environment.ts';
import { presentError } from './http/present-error.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { loggedPath, requestContext } from './http/request-context.ts';
import { createMailQueue, createMailTransport, parseSender, type RenderMail } from './mail/index.ts';
import { migrationsOf } from './project-database.ts';
import { createAi } from './services/ai/index.ts';
import { createAnalytics } from './services/analytics/index.ts';
import { type Auth, type AuthPages, createAuth, createNewAccountCheck } from './services/auth/index.ts';
import { createData } from './services/data/index.ts';
import { createNotifications, type RenderNotice } from './services/notifications/index.ts';
import { createRealtime, openBroker, type Realtime } from './services/realtime/index.ts';
import { createRest, type ServeRead } from './services/rest/index.ts';
import { createStorage, openBlobs, type ServeCached, type Storage } from './services/storage/index.ts';

/** The connection that a call within the process is made for: rate limits count its IP address. */
export interface CallFrom {
  incoming?: IncomingMessage | undefined;
}

export interface Backend {
  /** All of `/api`, `/storage`, `/.well-known`, `/healthz`, `/readyz`; anything else is left to the caller's own routes. */
  app: Hono<AppEnvironment>;
  /** Makes a call within the process: no socket, the same rules. */
  fetch(request: Request, from?: CallFrom): Promise<Response>;
  /** Returns an image variant from memory, without the router; undefined for any other request. */
  serveCached: ServeCached;
  /** Reads a table without the router; undefined for any other request. */
  serveRead: ServeRead;
  /** Takes websockets, whatever their path: for the `upgrade` event of the server. */
  handleUpgrade: Realtime['handleUpgrade'];
  /** Ends all sockets with a code that sends clients to another node: before a server is closed, which waits for them. */
  closeSockets: Realtime['closeSockets'];
  /**
   * Returns the tokens of a session by its refresh token, which is not spent; `undefined` when it is not valid. For a
   * server that keeps the token for a browser.
   */
  resumeSession: Auth['resumeSession'];
  bus: Bus;
  projects: ReadonlyMap<string, Project>;
  /** The identity providers, with the names that people know them by. */
  providers: readonly { id: string; label: string }[];
  /** Tells whether pages of this URL's origin may be handed tokens of the project. Our own may. */
  isAllowedOrigin(url: string, projectId: string): boolean;
  close(): Promise<void>;
}

/** Paths of the product's pages that the backend leads to. */
export interface BackendPages extends AuthPages {
  /** Has the buttons that stop mails. */
  stopNotices: string;
}

export interface BackendOptions {
  config: Config;
  projects: readonly ProjectDefinition[];
  pages: BackendPages;
  log: Logger;
  /** Puts mails into words. */
  renderMail: RenderMail;
  /** Puts mails about what others did into words; without it, none of those are sent. */
  renderNotice?: RenderNotice;
}

/** Opens the projects' databases, brings them up to date and mounts the services. */
export async function createBackend({
  config,
  projects: definitions,
  pages,
  log,
  renderMail,
  renderNotice,
}: BackendOptions): Promise<Backend> {
  mkdirSync(config.dataDir, { recursive: true });
  const lock = await guardOf(config).lockShared();
  const keys = await loadKeys(join(config.dataDir, 'keys'));
  const engine = createEngine(config);
  const projects = await openProjects(
    definitions.map((definition) => {
      const secretKey = definition.id === config.projectId ? config.secretKey : undefined;
      return { definition, engine, keys, migrationsOf, secretKey };
    }),
  ).catch(async (error) => {
    await engine.close();
    await lock.release();
    throw error;
  });
  logProjects(log, definitions);

  const { publicUrl } = config;
  const bus = createInProcessBus();
  const limits = createRateLimits({ enabled: config.rateLimit });
  const origins = listOrigins(publicUrl, definitions);
  const isNewAccount = createNewAccountCheck(config.auth.newAccountMinutes);
  const shared = { projects, bus, keys, limits, origins, publicUrl, isNewAccount, log };
  const mailQueue = createMailQueue({
    projects,
    transport: createMailTransport(config),
    from: config.mail.from,
    log,
  });
  const gate = createGate({ ...config.fetcher, publicHost: new URL(publicUrl).hostname });
  const userAgent = `Fabrica (+${publicUrl})`;
  const fetcher = createGuardedFetcher({
    gate,
    userAgent,
    readOwnFile: (url, signal) =>
      isStoredFile(url, publicUrl) ? Promise.resolve(app.fetch(new Request(url, { signal }))) : undefined,
  });

  const auth = createAuth({
    ...shared,
    settings: config.auth,
    pages,
    mailQueue,
    renderMail,
    isAllowedOrigin: (url, projectId) => isAllowedOrigin(url, origins.of(projectId)),
  });
  const { authenticate } = auth;
  const rest = createRest({ ...shared, authenticate, rowsQuota: config.rowsQuota });
  const storage = createStorage({ ...shared, ...config.storage, ...openBlobs(config) });
  const { saveFile } = storage;
  const data = createData({
    ...shared,
    settings: config.data,
    gate,
    fetcher,
    saveFile,
    userAgent,
    secretsKey: keys.secretsKey,
  });
  const ai = createAi({ ...shared, settings: config.ai, fetcher, saveFile, search: data.search });
  const realtime = createRealtime({
    ...shared,
    broker: await openBroker(config.realtime, log),
    authenticate,
    trustedProxies: config.trustedProxies,
    limitsPerIp: config.rateLimit,
  });
  const analytics = createAnalytics({ ...shared, settings: config.analytics });
  const notifications = createNotifications({
    ...shared,
    mailQueue,
    sender: parseSender(config.mail.from),
    fetcher,
    renderNotice,
    stopPage: pages.stopNotices,
  });

  const app = createApp({
    ...shared,
    trustedProxies: config.trustedProxies,
    auth,
    realtime,
    storage,
    services: { db: rest, storage, ai, data, realtime, analytics, notifications },
  });

  return {
    app,
    fetch: async (request, from) => app.fetch(request, from),
    serveCached: storage.serveCached,
    serveRead: rest.serveRead,
    handleUpgrade: realtime.handleUpgrade,
    closeSockets: realtime.closeSockets,
    resumeSession: auth.resumeSession,
    bus,
    projects,
    providers: auth.providers,
    isAllowedOrigin: (url, projectId) => isAllowedOrigin(url, origins.of(projectId)),
    async close() {
      await realtime.close();
      await notifications.close();
      await Promise.all([ai.close(), data.close(), analytics.close()]);
      await fetcher.close();
      await mailQueue.close();
      await storage.close();
      for (const { database } of projects.values()) await database.close();
      await engine.close();
      await lock.release();
    },
  };
}

/** Returns whether this is the URL of a file here, as authors hand theirs to models and mails. */
function isStoredFile({ origin, pathname }: URL, publicUrl: string): boolean {
  return origin === publicUrl && pathname.startsWith('/storage/');
}

interface AppOptions {
  projects: ReadonlyMap<string, Project>;
  keys: Keys;
  origins: OriginLists;
  trustedProxies: number;
  auth: Auth;
  realtime: Realtime;
  storage: Storage;
  /** Services of a project, by their names in paths. */
  services: Readonly<Record<string, { routes: Hono<AppEnvironment> }>>;
  log: Logger;
}

/** Mounts the services, and what all of their requests pass. */
function createApp(options: AppOptions): Hono<AppEnvironment> {
  const { projects, keys, origins, trustedProxies, auth, realtime, storage, services, log } = options;
  const app = new Hono<AppEnvironment>();
  app.onError((error, c) => {
    const { requestId, log: lines } = c.var;
    const path = loggedPath(c.req.path);
    // A call that was given up because the client closed the connection is no failure.
    if (isOurFault(error) && !c.req.raw.signal.aborted) lines?.error({ requestId, path, err: error });
    if (isReliedOnFault(error)) {
      lines?.warn({ requestId, path, code: error.code }, 'A service that this one relies on failed');
    }
    return presentError(error, c);
  });
  for (const path of ['/api/*', '/.well-known/*', '/healthz', '/readyz', '/storage/*'])
    app.use(path, requestContext(log, trustedProxies));
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
  for (const [service, { routes }] of Object.entries(services)) {
    // Each service has its own pattern: a parameter in its place would cost every request the faster of Hono's routers.
    app.use(`/api/${service}/:projectId/*`, async (c, next) => {
      const project = projects.get(c.req.param('projectId'));
      if (!project) throw new AppError('PROJECT_NOT_FOUND', 'There is no project of this id here.');
      c.set('project', project);
      c.set('caller', await auth.authenticate(c.req.header('authorization'), project));
      await next();
    });
    app.route(`/api/${service}/:projectId`, routes);
  }
  app.route('/storage/:projectId', storage.fileRoutes);
  for (const path of ['/api/*', '/storage/*']) {
    app.all(path, () => {
      throw new AppError('NOT_FOUND', 'There is nothing at this address.');
    });
  }
  return app;
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
