import { accessSync, constants, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import {
  ConfigError,
  createBackend,
  type Environment,
  EXIT_CONFIG,
  ProjectError,
  type RenderMail,
  type RenderNotice,
  readProjects,
} from '@fabrica/backend';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import { seedDemo } from '../project/demo/seed.ts';
import { defineJournal } from '../project/project.ts';
import { type JournalConfig, pages, parseJournalConfig } from '../project/settings.ts';
import { createApp } from './app.ts';
import { type Frontend, openFrontend } from './frontend.ts';
import { handleClientErrors, MAX_HEADER_BYTES } from './handle-client-errors.ts';
import { handleUpgrades, isWebSocket } from './handle-upgrades.ts';
import { withHsts } from './https-only.ts';
import { limitConnections } from './limit-connections.ts';
import { createReadListener } from './read-listener.ts';
import { createSendContact } from './send-contact.ts';
import { createSiteReader } from './site-reader.ts';

/** Requests in flight may take this many milliseconds after a signal to stop, before their connections are closed. */
const IN_FLIGHT_MS = 8_000;
/** The process exits in any case this many milliseconds after a signal to stop. */
const SHUTDOWN_MS = 12_000;
/**
 * An idle connection stays open for this many milliseconds. This is longer than in proxies (60 s is usual), so that no
 * proxy sends a request over a connection that is being closed.
 */
const KEEP_ALIVE_MS = 65_000;

/** A request may take this many milliseconds: 50 MB over a slow line exceed Node's default of five minutes. */
const LONGEST_REQUEST_MS = 60 * 60 * 1000;

/** The head of a request may take this many milliseconds, from the opening of the connection on. */
const LONGEST_HEAD_MS = 15_000;
/** Milliseconds between two looks for connections that take too long. */
const CHECK_MS = 5_000;

/** Reports an error whose message alone is shown to the operator. */
class StartError extends Error {}

/** Starts the server with the settings in the environment, and stops it on SIGINT and SIGTERM. */
export async function startJournal(environment: Environment): Promise<void> {
  try {
    const config = parseJournalConfig(environment);
    await serve(config, environment.NODE_ENV === 'development' ? 'development' : 'production');
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error.message, EXIT_CONFIG);
    if (error instanceof StartError) return exitWith(error.message, 1);
    throw error;
  }
}

/** Prints the message and exits, also when a project's file has started timers or servers. */
function exitWith(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`, () => process.exit(exitCode));
}

async function serve(config: JournalConfig, mode: Frontend['mode']): Promise<void> {
  const log = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  requireWritable(config.dataDir);
  const journal = defineProjectOf(config);
  // `frontend` and `readSite` are made below, after the backend that it calls and before any request can cause a mail.
  const renderMail: RenderMail = async (mail) =>
    (await frontend.mails()).renderMail(mail, await readSite(mail.language));
  const renderNotice: RenderNotice = async (notice) =>
    (await frontend.mails()).renderNotice(notice, await readSite(notice.language));
  const projects = [journal, ...(await readProjects(config))];
  const backend = await createBackend({ config, projects, pages, log, renderMail, renderNotice }).catch(
    (cause: Error) => {
      if (cause instanceof ProjectError && cause.projectId !== config.projectId) {
        throw new ConfigError([`PROJECTS_DIR: ${cause.message}`]);
      }
      throw new StartError(`Fabrica cannot start. ${cause.message}`, { cause });
    },
  );
  const readSite = createSiteReader({ backend, config });
  const sendContact = createSendContact({ backend, config, log, readSite });
  const appListener = getRequestListener((request, env) =>
    app.fetch(request, env as Parameters<typeof app.fetch>[1]),
  );
  const server = createServer(
    {
      requestTimeout: LONGEST_REQUEST_MS,
      headersTimeout: LONGEST_HEAD_MS,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      shouldUpgradeCallback: isWebSocket,
    },
    withHsts(createReadListener(backend, appListener), config),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  handleClientErrors(server);
  // Behind a proxy, all connections come from its address: the proxy is where they are bounded.
  const isBounded = config.rateLimit && config.trustedProxies === 0;
  limitConnections(server, { perIp: isBounded ? config.connectionsPerIp : 0 });
  const frontend = await openFrontend(server, mode);
  handleUpgrades(server, backend, frontend.mode);
  const app = createApp({ backend, config, log, frontend, readSite, sendContact });
  const close = async () => {
    await frontend.close();
    await backend.close();
  };
  try {
    if (config.demo) await seedDemo(backend, config);
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
  process.stdout.write(`Fabrica is at ${config.publicUrl}\n`);
  closeOnSignal(server, { close, closeSockets: backend.closeSockets });
}

/** Defines the journal. Throws a `ConfigError` for a role that it does not have. */
function defineProjectOf({ projectId: id, signUpRole, allowedOrigins: origins }: JournalConfig) {
  try {
    return defineJournal({ id, signUpRole, origins });
  } catch (error) {
    throw new ConfigError([`SIGNUP_ROLE: ${(error as Error).message}`]);
  }
}

function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
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

/** Finishes the requests in flight on a signal to stop, then closes the server. A second signal exits at once. */
function closeOnSignal(
  server: Server,
  { close, closeSockets }: { close(): Promise<void>; closeSockets(): void },
): void {
  let closing = false;
  const shutDown = () => {
    if (closing) process.exit(130);
    closing = true;
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS).unref();
    server.close(() => {
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
    server.closeIdleConnections();
    closeSockets();
    // Busy connections are closed soon after their response.
    server.keepAliveTimeout = 1;
  };
  process.on('SIGINT', shutDown);
  process.on('SIGTERM', shutDown);
}
