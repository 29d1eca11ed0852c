import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { guardOf } from './backup/index.ts';
import type { Config } from './config.ts';
import { type Bus, createInProcessBus } from './core/bus.ts';
import { AppError, isOurFault, isReliedOnFault } from './core/errors.ts';
import type { Keys } from './core/keys.ts';
import type { ProjectDefinition } from './core/project.ts';
import { unnamedTables } from './core/validate-project.ts';
import {
  compactOldFiles,
  createEngine,
  type Engine,
  type OpenedProject,
  openProjects,
  type Project,
} from './database/index.ts';
import { createGate, createGuardedFetcher, type Gate, type GuardedFetcher } from './fetcher/index.ts';
import { healthRoutes } from './health-routes.ts';
import { compressJson } from './http/compression.ts';
import { cors, isAllowedOrigin, listOrigins, type OriginLists } from './http/cors.ts';
import type { AppEnvironment } from './http/environment.ts';
import type { Service } from './http/lazy-service.ts';
import { createRequestIds, type ReadRequestIds } from './http/observed/request-ids.ts';
import { presentError } from './http/present-error.ts';
import { createRateLimits, type RateLimits } from './http/rate-limit.ts';
import { loggedPath, requestContext } from './http/request-context.ts';
import { createRequestLog, type LogRequest } from './http/request-log.ts';
import {
  createMailSeal,
  outboxFolder,
  parseSender,
  type RenderMail,
  sealOldMails,
  sealStoredMails,
} from './mail/index.ts';
import { measureBackend } from './measure-backend.ts';
import { keepReading, openKeys } from './open-keys.ts';
import { openMail } from './open-mail.ts';
import { openReadiness } from './open-readiness.ts';
import { migrationsOf } from './project-database.ts';
import type { ReadinessReader } from './readiness.ts';
import type { Meter } from './runtime/meter.ts';
import { closeFolder } from './runtime/private-files.ts';
import { createAi, type TextModel } from './services/ai/index.ts';
import { createAnalytics } from './services/analytics/index.ts';
import {
  type Auth,
  type AuthPages,
  createAuth,
  createNewAccountCheck,
  removalStatement,
} from './services/auth/index.ts';
import { createData, type SpendOutgoing } from './services/data/index.ts';
import { createNotifications, type RenderNotice } from './services/notifications/index.ts';
import { createRealtime, openBroker, type Realtime } from './services/realtime/index.ts';
import { createRest } from './services/rest/index.ts';
import { createStorage, openBlobs, type Storage } from './services/storage/index.ts';

/** The connection that a call within the process is made for: rate limits count its IP address. */
export interface CallFrom {
  incoming?: IncomingMessage | undefined;
}

export interface Backend {
  /** All of `/api`, `/storage`, `/.well-known`, `/healthz`, `/readyz`; anything else is left to the caller's own routes. */
  app: Hono<AppEnvironment>;
  /** Makes a call within the process, as `fetch` does: no socket, the same rules. */
  call: typeof fetch;
  /** Makes a call for a connection, likewise. */
  fetch(request: Request, from?: CallFrom): Promise<Response>;
  /** Takes websockets, whatever their path: for the `upgrade` event of the server. */
  handleUpgrade: Realtime['handleUpgrade'];
  /** Has `/readyz` say that this process ends, so that load balancers send nothing more: before the server is closed. */
  announceStop(): void;
  /** Ends all sockets with a code that sends clients to another node: before a server is closed, which waits for them. */
  closeSockets: Realtime['closeSockets'];
  /**
   * Returns the tokens of a session by its refresh token, which is not spent; `undefined` when it is not valid. For a
   * server that keeps the token for a browser.
   */
  resumeSession: Auth['resumeSession'];
  /** Logs a request that another part has served. */
  logRequest: LogRequest;
  bus: Bus;
  projects: ReadonlyMap<string, Project>;
  /** Tells how this process is doing. */
  meter: Meter | undefined;
  /** Mails the operator, where the settings name one. */
  mailOperator(mail: { subject: string; text: string }): Promise<unknown>;
  /** Keeps a message for the operator, which `fabrica outbox` shows: 200 at most, for 90 days. */
  keepForOperator(message: { from: string; subject: string; text: string }): Promise<void>;
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

/** The parts that a service of the product stands on, as the backend's own do. */
export interface ServiceParts {
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  limits: RateLimits;
  meter?: Meter | undefined;
  log: Logger;
  /** Without a trailing slash. */
  publicUrl: string;
  /** Bytes of rows that an account may write in a day; 0: any number. */
  rowsQuota: number;
  /** The one way to hosts of the internet. */
  fetcher: GuardedFetcher;
  spendOutgoing: SpendOutgoing;
  /** The language model that the operator has named, on the budgets of accounts. */
  textModel: TextModel;
  readPicture: Storage['readPicture'];
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
  /** Services of the product by their names in paths: `/api/<name>/{projectId}/…`. */
  services?: Readonly<Record<string, (parts: ServiceParts) => Service>>;
}

/** Opens the projects' databases, brings them up to date and mounts the services. */
export async function createBackend(options: BackendOptions): Promise<Backend> {
  const { config, projects: definitions, pages, log, services: factories = {} } = options;
  const { renderMail, renderNotice } = options;
  closeDataFolder(config.dataDir, log);
  const meter = await openMeter(config);
  const requestIds = createRequestIds(config.trustedProxies);
  const lock = await guardOf(config).lockShared();
  const engine = createEngine(config);
  const opened = await openProjects(
    definitions.map((definition) => ({ definition, engine, migrationsOf })),
  ).catch((error) => release(error, { engine, lock }));
  const { keys, projects } = await openKeys(opened, { config, log }).catch((error) =>
    release(error, { databases: opened, engine, lock }),
  );
  const stopReading = keepReading(keys);
  logProjects(log, definitions);
  await upgradeData(projects, { keys, dataDir: config.dataDir, log });
  const { publicUrl, trustedProxies, rowsQuota } = config;
  const bus = createInProcessBus();
  const limits = createRateLimits({ enabled: config.rateLimit });
  const origins = listOrigins(publicUrl, definitions);
  const logRequest = createRequestLog(log);
  const isNewAccount = createNewAccountCheck(config.auth);
  const { mailQueue, mailOperator, keepForOperator, noticeBudget } = openMail(config, {
    projects,
    keys,
    meter,
    log,
  });
  const parts = { projects, bus, keys, limits, origins, publicUrl, requestIds, meter, log, logRequest };
  const shared = { ...parts, isNewAccount, noticeBudget, nodeId: randomUUID() };
  const web = openFetcher(config, async (request) => app.fetch(request));
  const { fetcher } = web;

  const auth = createAuth({
    ...shared,
    settings: config.auth,
    fetcher,
    pages,
    mailQueue,
    renderMail,
    isAllowedOrigin: (url, projectId) => isAllowedOrigin(url, origins.of(projectId)),
  });
  const rest = createRest({ bus, limits, rowsQuota, recordRemoval: removalStatement });
  const openedBlobs = openBlobs(config);
  const storage = createStorage({ ...shared, ...config.storage, ...openedBlobs });
  const { saveFile, readPicture } = storage;
  const data = createData({
    ...shared,
    ...web,
    ...{ settings: config.data, saveFile, secretsKeys: keys.secretsKeys },
  });
  const ai = createAi({ ...shared, settings: config.ai, fetcher, saveFile, search: data.search });
  const realtime = createRealtime({
    ...shared,
    broker: await openBroker(config.realtime, log),
    authenticate: auth.authenticate,
    trustedProxies,
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

  const readiness = openReadiness({ ...shared, realtime, blobs: openedBlobs.blobs, mailQueue, ai });
  const ownParts = { ...shared, rowsQuota, fetcher, readPicture, textModel: ai.textModel };
  const own = createOwnServices(factories, { ...ownParts, spendOutgoing: data.spendOutgoing });
  if (meter) measureBackend(meter, { projects, readiness, dataDir: config.dataDir });
  const app = createApp({
    ...shared,
    trustedProxies,
    auth,
    readiness,
    storage,
    services: { db: rest, storage, ai, data, realtime, analytics, notifications, ...own },
  });

  return {
    app,
    call: async (input, init) => app.fetch(new Request(input, init)),
    fetch: async (request, from) => app.fetch(request, from),
    handleUpgrade: realtime.handleUpgrade,
    announceStop: readiness.stop,
    closeSockets: realtime.closeSockets,
    resumeSession: auth.resumeSession,
    logRequest,
    bus,
    projects,
    meter,
    mailOperator,
    keepForOperator,
    providers: auth.providers,
    isAllowedOrigin: (url, projectId) => isAllowedOrigin(url, origins.of(projectId)),
    async close() {
      stopReading();
      for (const service of Object.values(own)) await service.close();
      const parts = { realtime, notifications, ai, data, analytics, fetcher, mailQueue, storage };
      for (const part of Object.values(parts)) await part.close();
      for (const { database } of projects.values()) await database.close();
      await engine.close();
      await lock.release();
    },
  };
}

async function openMeter({ observed }: Config): Promise<Meter | undefined> {
  if (!observed.metrics) return undefined;
  const { Meter } = await import('./runtime/meter.ts');
  return new Meter();
}

/** Opens the way to hosts that users name. Files of this server are read within the process, by `call`. */
function openFetcher(
  { fetcher: settings, publicUrl }: Config,
  call: (request: Request) => Promise<Response>,
): { gate: Gate; fetcher: GuardedFetcher; userAgent: string } {
  const gate = createGate({ ...settings, publicHost: new URL(publicUrl).hostname });
  const userAgent = `Fabrica (+${publicUrl})`;
  const fetcher = createGuardedFetcher({
    gate,
    userAgent,
    readOwnFile: (url, signal) =>
      isStoredFile(url, publicUrl) ? call(new Request(url, { signal })) : undefined,
  });
  return { gate, fetcher, userAgent };
}

interface Opened {
  databases?: ReadonlyMap<string, OpenedProject>;
  engine: Engine;
  lock: { release(): Promise<void> };
}

/** Closes what a start that failed has opened. */
async function release(error: unknown, { databases, engine, lock }: Opened): Promise<never> {
  for (const { database } of databases?.values() ?? []) await database.close();
  await engine.close();
  await lock.release();
  throw error;
}

function createOwnServices(
  factories: NonNullable<BackendOptions['services']>,
  parts: ServiceParts,
): Readonly<Record<string, Service>> {
  return Object.fromEntries(Object.entries(factories).map(([name, create]) => [name, create(parts)]));
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
  readiness: ReadinessReader;
  storage: Storage;
  requestIds: ReadRequestIds;
  /** Services of a project, by their names in paths. */
  services: Readonly<Record<string, { routes: Hono<AppEnvironment> }>>;
  log: Logger;
  logRequest: LogRequest;
}

/** Mounts the services, and what all of their requests pass. */
function createApp(options: AppOptions): Hono<AppEnvironment> {
  const { projects, keys, origins, trustedProxies, auth, readiness, storage, services, log } = options;
  const { logRequest, requestIds } = options;
  const app = new Hono<AppEnvironment>();
  app.onError(async (error, c) => {
    const { requestId, log: lines } = c.var;
    const path = loggedPath(c.req.path);
    // A call that was given up because the client closed the connection is no failure.
    if (isOurFault(error) && !c.req.raw.signal.aborted) lines?.error({ requestId, path, err: error });
    if (isReliedOnFault(error)) {
      lines?.warn({ requestId, path, code: error.code }, 'A service that this one relies on failed');
    }
    await auth.recordRefusal(c, error);
    return presentError(error, c);
  });
  for (const path of ['/api/*', '/.well-known/*', '/healthz', '/readyz', '/storage/*'])
    app.use(path, requestContext({ log, logRequest, trustedProxies, requestIds }));
  app.use('/api/*', cors(origins));
  app.use('/api/*', compressJson);
  app.route('/', healthRoutes(readiness));
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

/** Keeps other users of the system out of the data, that of older versions too. */
function closeDataFolder(folder: string, log: Logger): void {
  const { closed, left } = closeFolder(folder);
  if (closed > 0) {
    log.warn({ folder, files: closed }, 'Other users of this system could open the data: no longer');
  }
  if (left > 0) {
    log.error({ folder, files: left }, 'Other users of this system can open the data: change its owner');
  }
}

/** Seals the mails of older versions, and has their files forget what was deleted. */
async function upgradeData(
  projects: ReadonlyMap<string, Project>,
  { keys, dataDir, log }: { keys: Keys; dataDir: string; log: Logger },
): Promise<void> {
  for (const [project, { database }] of projects) {
    const mails = await sealOldMails(database, createMailSeal(keys));
    if (mails > 0) log.info({ project, mails }, 'Waiting mails of an older version were sealed');
  }
  const files = await sealStoredMails(outboxFolder(dataDir), createMailSeal(keys));
  if (files > 0) log.info({ files }, 'Mails of an older version in the outbox folder were sealed');
  await compactOldFiles(projects, { dataDir, log });
}

function logProjects(log: Logger, definitions: readonly ProjectDefinition[]): void {
  log.info({ projects: definitions.map(({ id }) => id) }, 'Projects');
  for (const definition of definitions) {
    const tables = unnamedTables(definition);
    if (tables.length === 0) continue;
    log.info(
      { project: definition.id, tables },
      'No policy names these tables: they are closed to all but the secret key',
    );
  }
}
