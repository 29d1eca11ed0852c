import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { serverMailReader } from '@fabrica/backend/testing/mail/read-server-mails.ts';
import { entryFile } from '../../scripts/built.mjs';
import { serverEnvironment } from '../../scripts/runtime.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 100_000;

export interface RunningServer {
  /** `http://localhost:<port>`. */
  url: string;
  dataDir: string;
  /** The settings with which other processes work on the same data. */
  settings: Readonly<Record<string, string>>;
  process: ChildProcess;
  /** Returns everything that it has printed so far. */
  output(): string;
  /** Returns the mails to an address that are in the outbox folder, oldest first. */
  mailsTo(email: string): Promise<OutboxMail[]>;
  /** Sends the signal, waits for the end and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

export interface OutboxMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface RunOptions {
  /** Has the sources run, whose packages a test can watch, and not the bundle. */
  fromSources?: boolean;
  /** A command that runs the command behind it, such as `nice -n 5`. */
  wrapper?: readonly string[];
  /** Another checkout, which is built. */
  checkout?: string | undefined;
}

/** Starts the built journal as a process of its own, on a free port, with a data folder of its own unless one is given. */
export async function startServer(
  environment: Record<string, string> = {},
  dataDir?: string,
  options: RunOptions = {},
): Promise<RunningServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'fabrica-')));
  const port = await freePort();
  const settings = { DATA_DIR: folder, ...(await testDatabaseSettings(folder)) };
  const child = runServer(
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...settings,
      ...environment,
    },
    options,
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      printed += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server did not start:\n${printed}`)), START_MS);
    child.stdout?.on('data', () => {
      if (!printed.includes('Fabrica is at')) return;
      clearTimeout(timer);
      resolve();
    });
    ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with ${code}:\n${printed}`));
    });
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  const { MASTER_KEY } = environment;
  const readMails = serverMailReader({ ...settings, ...(MASTER_KEY && { MASTER_KEY }) }, folder);
  return {
    url: `http://localhost:${port}`,
    dataDir: folder,
    settings,
    process: child,
    output: () => printed,
    mailsTo: async (email) => (await readMails()).filter(({ to }) => to === email),
    stop,
    async close() {
      await stop();
      if (dataDir !== undefined) return;
      await rm(folder, { recursive: true, force: true });
      await removeDatabase(folder);
    },
  };
}

/** The built entry files by their checkouts: what they are built of does not change during the tests, and has two thousand files. */
const builtEntries = new Map<string, string>();

function builtEntry(checkout: string): string {
  const entry = builtEntries.get(checkout) ?? entryFile('server', checkout);
  builtEntries.set(checkout, entry);
  return entry;
}

/**
 * Runs the server's process as `npm start` does, with nothing of this process's environment but the path. Where the build is older
 * than the sources, it runs those.
 */
export function runServer(
  environment: Record<string, string>,
  { wrapper = [], checkout = ROOT, fromSources = false }: RunOptions = {},
): ChildProcess {
  const [command = '', ...rest] = [
    ...wrapper,
    process.execPath,
    join(checkout, fromSources ? 'apps/journal/server.ts' : builtEntry(checkout)),
  ];
  return spawn(command, rest, {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      ...serverEnvironment,
      ...environment,
    },
  });
}

/** Runs a server that ends by itself, and returns its exit code and what it printed to stderr. */
export async function runServerToEnd(
  environment: Record<string, string>,
): Promise<{ exitCode: number | null; stderr: string }> {
  const child = runServer(environment);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stderr: stderr.trim() };
}

/**
 * Returns a port that nothing listens on. It is below the range from which systems take ports for outgoing connections
 * (from 32768 on): one of those could take it before the server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
