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
import { pages } from '../project/pages.ts';
import { defineJournal } from '../project/project.ts';
import { type JournalConfig, parseJournalConfig } from '../project/settings.ts';
import { createApp } from './app.ts';
import { type Frontend, openFrontend } from './frontend.ts';
import { handOverSockets, isWebSocket } from './hand-over-sockets.ts';
import { readsFirst } from './reads-first.ts';
import { MAX_HEADER_BYTES, refuseUnreadable } from './refuse-unreadable.ts';

/** Milliseconds that what is under way may take after a signal to stop; connections are cut then … */
const IN_FLIGHT_MS = 8_000;
/** … and the process ends, whatever still holds it. */
const SHUTDOWN_MS = 12_000;
/**
 * Milliseconds that an idle connection is kept: longer than proxies keep theirs (60 s is usual), so that none sends a
 * request into a connection that is just being closed.
 */
const KEEP_ALIVE_MS = 65_000;

/** Milliseconds for a request to arrive: 50 MB over a slow line take longer than Node's five minutes. */
const LONGEST_REQUEST_MS = 60 * 60 * 1000;

/** A fault that one sentence tells whoever started the server. */
class StartError extends Error {}

/** Reads the settings of the environment, opens everything, listens, and closes all of it on SIGINT and SIGTERM. */
export async function startJournal(environment: Environment): Promise<void> {
  try {
    const config = parseJournalConfig(environment);
    await serve(config, environment.NODE_ENV === 'development' ? 'development' : 'production');
  } catch (error) {
    if (error instanceof ConfigError) return stop(error.message, EXIT_CONFIG);
    if (error instanceof StartError) return stop(error.message, 1);
    throw error;
  }
}

/** Ends the process, whatever a project's file may have begun. */
function stop(sentence: string, exitCode: number): void {
  process.stderr.write(`${sentence}\n`, () => process.exit(exitCode));
}

async function serve(config: JournalConfig, mode: Frontend['mode']): Promise<void> {
  const log = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  requireWritable(config.dataDir);
  const journal = defineProjectOf(config);
  // The pages are opened after the backend that they call, and before anybody can ask for a mail.
  const renderMail: RenderMail = async (mail) => (await frontend.mails()).renderMail(mail);
  const renderNotice: RenderNotice = async (notice) => (await frontend.mails()).renderNotice(notice);
  const projects = [journal, ...(await readProjects(config))];
  const backend = await createBackend({ config, projects, pages, log, renderMail, renderNotice }).catch(
    (cause: Error) => {
      if (cause instanceof ProjectError && cause.projectId !== config.projectId) {
        throw new ConfigError([`PROJECTS_DIR: ${cause.message}`]);
      }
      throw new StartError(`Fabrica cannot start. ${cause.message}`, { cause });
    },
  );
  const throughApp = getRequestListener((request, env) =>
    app.fetch(request, env as Parameters<typeof app.fetch>[1]),
  );
  const server = createServer(
    {
      requestTimeout: LONGEST_REQUEST_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      shouldUpgradeCallback: isWebSocket,
    },
    readsFirst(backend, throughApp),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  refuseUnreadable(server);
  const frontend = await openFrontend(server, mode);
  handOverSockets(server, backend, frontend.mode);
  const app = createApp({ backend, config, log, frontend });
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

  process.stdout.write(`Fabrica is at ${config.publicUrl}\n`);
  closeOnSignal(server, { close, closeSockets: backend.closeSockets });
}

/** Throws ConfigError for a role that the journal does not have. */
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
      const sentences: Record<string, string> = {
        EADDRINUSE: `Port ${port} is taken by another program: stop that, or name another port in PORT.`,
        EACCES: `Port ${port} may not be used by this account: name another in PORT (1024 or higher).`,
        EADDRNOTAVAIL: `This machine has no address ${host}: name another in HOST.`,
      };
      reject(
        new StartError(sentences[error.code ?? ''] ?? `Cannot listen on ${host}:${port} (${error.code}).`),
      );
    });
    server.listen(port, host, resolve);
  });
}

/** Finishes what is in flight, then closes the rest; a second signal ends at once. */
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
    // Those that are busy now are not kept once they have answered.
    server.keepAliveTimeout = 1;
  };
  process.on('SIGINT', shutDown);
  process.on('SIGTERM', shutDown);
}
