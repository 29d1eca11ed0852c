import { accessSync, constants, mkdirSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import {
  type Backend,
  ConfigError,
  createBackend,
  createPrivateFiles,
  type Environment,
  EXIT_CONFIG,
  isForGood,
  lockStart,
  maxFileHandles,
  noteServing,
  openBackupSchedule,
  ProjectError,
  type RenderMail,
  type RenderNotice,
  readProjects,
  readProvedBackup,
  settings,
  unreadSettings,
} from '@fabrica/backend';
import type { RoleMap } from '@fabrica/contract';
import type { Logger } from 'pino';
import { createDesk } from '../desk/create-desk.ts';
import { seedDemo } from '../project/demo/seed.ts';
import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import { defineJournal } from '../project/project.ts';
import { type JournalConfig, journalSettings, pages, parseJournalConfig } from '../project/settings.ts';
import { createReferences } from '../references/create-references.ts';
import { createApp } from './app.ts';
import { AssetStore } from './asset-store.ts';
import { handleClientErrors, MAX_HEADER_BYTES } from './connections/handle-client-errors.ts';
import { handleUpgrades, isWebSocket } from './connections/handle-upgrades.ts';
import { limitConnections } from './connections/limit-connections.ts';
import { connectionsWithin, limitHandles } from './connections/limit-handles.ts';
import { type Frontend, openFrontend } from './frontend.ts';
import { createMarkdownParser } from './markdown/markdown-parser.ts';
import { openObserver } from './observe.ts';
import { openLog } from './open-log.ts';
import { createSendContact } from './send-contact.ts';
import { createSiteReader } from './site-reader.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/**
 * An idle connection stays open for this many milliseconds. This is longer than in proxies (60 s is usual), so that no
 * proxy sends a request over a connection that is being closed.
 */
const KEEP_ALIVE_MS = 65_000;

/** Connections that one IP address may have open at a time, besides websockets. */
const CONNECTIONS_PER_IP = 512;

/** A request may take this many milliseconds: 50 MB over a slow line exceed Node's default of five minutes. */
const LONGEST_REQUEST_MS = 60 * 60 * 1000;

/** The head of a request may take this many milliseconds, from the opening of the connection on. */
const LONGEST_HEAD_MS = 15_000;
/** Milliseconds between two looks for connections that take too long. */
const CHECK_MS = 5_000;

/** Reports an error whose message alone is shown to the operator. */
class StartError extends Error {}

/**
 * Starts the server with the settings in the environment, and stops it on SIGINT and SIGTERM. `hasStarted` is called once it
 * listens to those itself.
 */
export async function startJournal(environment: Environment, hasStarted: () => void): Promise<void> {
  try {
    createPrivateFiles();
    const config = parseJournalConfig(environment);
    const names = Object.keys({ ...settings, ...journalSettings });
    await serve(config, {
      mode: environment.NODE_ENV === 'development' ? 'development' : 'production',
      unread: unreadSettings(environment, names),
      environment,
      hasStarted,
    });
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error.message, EXIT_CONFIG);
    if (error instanceof StartError) return exitWith(error.message, isForGood(error) ? EXIT_CONFIG : 1);
    throw error;
  }
}

/** Prints the message and exits, also when a project's file has started timers or servers. */
function exitWith(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`, () => process.exit(exitCode));
}

interface ServeOptions {
  mode: Frontend['mode'];
  /** Sentences about settings that nobody reads. */
  unread: readonly string[];
  /** Commands that this process runs are given the same. */
  environment: Environment;
  hasStarted(): void;
}

async function serve(
  config: JournalConfig,
  { mode, unread, environment, hasStarted }: ServeOptions,
): Promise<void> {
  const { log, flush } = await openLog(config.logLevel, process.stdout);
  for (const sentence of unread) log.warn(sentence);
  requireWritable(config.dataDir);
  const markdown = createMarkdownParser();
  const journal = defineProjectOf(config, markdown.parse);
  // `frontend` and `readSite` are made below, after the backend that it calls and before any request can cause a mail.
  const renderMail: RenderMail = async (mail) =>
    (await frontend.mails()).renderMail(mail, await readSite(mail.language));
  const renderNotice: RenderNotice = async (notice) =>
    (await frontend.mails()).renderNotice(notice, await readSite(notice.language));
  const projects = [journal, ...(await readProjects(config))];
  requireFactorRoles(config, projects);
  const services = {
    desk: createDesk({
      projectId: config.projectId,
      parseMarkdown: markdown.parse,
      imageOrigins: imageOriginsOf(config),
    }),
    references: createReferences({ projectId: config.projectId }),
  };
  const cannotStart = (cause: Error): never => {
    if (cause instanceof ProjectError && cause.projectId !== config.projectId) {
      throw new ConfigError([`PROJECTS_DIR: ${cause.message}`]);
    }
    throw new StartError(`Fabrica cannot start. ${cause.message}`, { cause });
  };
  const onWait = (reason: string) => log.warn({ reason }, 'The start waits');
  const starting = await lockStart(config, onWait).catch(cannotStart);
  const backend = await createBackend({
    config,
    projects,
    pages,
    log,
    renderMail,
    renderNotice,
    services,
  }).catch(cannotStart);
  const serving = noteSharedFolder(config, log);
  const readSite = createSiteReader({ backend, config });
  const sendContact = createSendContact({ backend, config, log, readSite });
  const server = createServer(
    {
      requestTimeout: LONGEST_REQUEST_MS,
      headersTimeout: LONGEST_HEAD_MS,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      shouldUpgradeCallback: isWebSocket,
    },
    (incoming, outgoing) => listener(incoming, outgoing),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  handleClientErrors(server);
  limitHandles(server, connectionsWithin(maxFileHandles()));
  // Behind a proxy, all connections come from its address: the proxy is where they are bounded.
  const isBounded = config.rateLimit && config.trustedProxies === 0;
  limitConnections(server, { perIp: isBounded ? CONNECTIONS_PER_IP : 0 });
  const frontend = await openFrontend(server, mode);
  handleUpgrades(server, backend, frontend.mode);
  const assets = openAssets(backend, config);
  const app = createApp({
    ...{ backend, config, log, frontend, assets, readSite, sendContact },
    parseMarkdown: markdown.parse,
  });
  const observer = await openObserver({ backend, config, frontend }).catch(async (cause: Error) => {
    await backend.close();
    throw new StartError(`The port of METRICS_PORT cannot be used (${cause.message}).`, { cause });
  });
  const listener = observer.observe(withHost(app.listener, config));
  const close = async () => {
    await app.close();
    await frontend.close();
    await backend.close();
    await markdown.close();
    await observer.close();
    await serving?.release();
  };
  let isFilled = false;
  try {
    if (frontend.clientFolder) await assets.keep(join(frontend.clientFolder, 'assets'));
    isFilled = config.demo && (await seedDemo(backend, config));
    await starting.release();
    await listen(server, config);
  } catch (error) {
    await close();
    throw error;
  }

  if (config.mail.smtpUrl === undefined) {
    log.warn(
      'There is no mail server: mails, those of sign-ups too, wait in the outbox until SMTP_URL is set',
    );
  }
  scheduleBackups(backend, { config, environment, log });
  stopOnSignal(server, { backend, close, delaySeconds: config.drainDelaySeconds, log });
  hasStarted();
  // The address stands below what the start has logged.
  flush();
  if (isFilled) process.stdout.write(FIRST_STEPS);
  process.stdout.write(`Fabrica is at ${config.publicUrl}\n`);
}

/** What the first start of a journal with demo posts says above its address. */
const FIRST_STEPS = `Sign up on the site, and become its admin by: npx fabrica user set-role you@example.org admin
The demo posts and their authors are removed by: npx fabrica demo remove
`;

/** Warns of a second server on one folder of SQLite: without Redis, neither is notified of what is written by way of the other. */
function noteSharedFolder({ database, realtime, dataDir: folder }: JournalConfig, log: Logger) {
  if (database.url !== undefined || realtime.redisUrl !== undefined) return undefined;
  const serving = noteServing(folder);
  if (!serving) {
    log.warn(
      { folder },
      'Another server has the same DATA_DIR: pages of each do not update by what the other writes. Stop one, or set REDIS_URL for both',
    );
  }
  return serving;
}

/** Opens the built files of all versions, which are in the main project's database. */
function openAssets({ projects }: Backend, { projectId }: JournalConfig): AssetStore {
  const main = projects.get(projectId);
  if (!main) throw new Error(`There is no project "${projectId}".`);
  return new AssetStore(main.database);
}

/** Backs up as the settings say, until the process ends. */
function scheduleBackups(
  { meter, mailOperator, projects }: Backend,
  { config, environment, log }: { config: JournalConfig; environment: Environment; log: Logger },
): void {
  const { backup: settings, dataDir, projectId } = config;
  const main = projects.get(projectId);
  const recorded = async () => main && readProvedBackup(main.database);
  const cli = new URL('../cli.ts', import.meta.url);
  openBackupSchedule({ settings, dataDir, recorded, cli, environment, meter, mailOperator, log });
}

/** Gives requests of HTTP/1.0 without a Host header the site's own: plain health checks of load balancers send none. */
function withHost(next: RequestListener, { publicUrl }: JournalConfig): RequestListener {
  const { host } = new URL(publicUrl);
  return (incoming, outgoing) => {
    incoming.headers.host ??= host;
    next(incoming, outgoing);
  };
}

/** Returns the origins that the URLs of uploads have, and may have had before. */
function imageOriginsOf({ publicUrl, storage }: JournalConfig): string[] {
  return [publicUrl, storage.publicUrl].map((url) => new URL(url).origin);
}

/** Defines the journal. Throws a `ConfigError` for a role that it does not have. */
function defineProjectOf(config: JournalConfig, parseMarkdown: ParseMarkdown) {
  const { projectId: id, signUpRole, allowedOrigins: origins } = config;
  try {
    return defineJournal({ id, signUpRole, origins, imageOrigins: imageOriginsOf(config), parseMarkdown });
  } catch (error) {
    throw new ConfigError([`SIGNUP_ROLE: ${(error as Error).message}`]);
  }
}

/** Throws a `ConfigError` for a role that no project has: those whom it should protect would be left without. */
function requireFactorRoles({ auth }: JournalConfig, projects: readonly { roles: RoleMap }[]): void {
  const unknown = auth.secondFactorRoles.filter((role) =>
    projects.every(({ roles }) => !Object.hasOwn(roles, role)),
  );
  if (unknown.length === 0) return;
  throw new ConfigError([`SECOND_FACTOR_ROLES: there is no role "${unknown.join('", "')}"`]);
}

function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch {
    throw new StartError(
      `The data folder ${folder} cannot be written to: make it writable, or name another in DATA_DIR.`,
    );
  }
}

/** Takes the port; rejects with a sentence when that is not possible. */
function listen(server: Server, { host, port }: JournalConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const messages: Record<string, string> = {
        EADDRINUSE: `Port ${port} is taken by another program: stop that, or name another port in PORT.`,
        EACCES: `Port ${port} may not be used by this account: name another in PORT (1024 or higher).`,
        EADDRNOTAVAIL: `This machine has no address ${host}: name another in HOST.`,
      };
      reject(
        new StartError(messages[error.code ?? ''] ?? `Cannot listen on ${host}:${port} (${error.code}).`),
      );
    });
    server.listen(port, host, resolve);
  });
}
