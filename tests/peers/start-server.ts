import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { serverEnvironment } from '../../scripts/runtime.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 50_000;

export interface RunningServer {
  /** `http://localhost:<port>`. */
  url: string;
  dataDir: string;
  /** What other processes need to work on the same data. */
  settings: Readonly<Record<string, string>>;
  process: ChildProcess;
  /** All that it printed so far. */
  output(): string;
  /** Sends the signal and waits for the end; answers the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/**
 * The built journal as its own process, on a free port and a data folder of its own unless they are given. `within` is
 * a command that runs the one behind it, in its own place (`nice -n 5`).
 */
export async function startServer(
  environment: Record<string, string> = {},
  dataDir?: string,
  within: readonly string[] = [],
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
    within,
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
  return {
    url: `http://localhost:${port}`,
    dataDir: folder,
    settings,
    process: child,
    output: () => printed,
    stop,
    async close() {
      await stop();
      if (dataDir !== undefined) return;
      await rm(folder, { recursive: true, force: true });
      await removeDatabase(folder);
    },
  };
}

/** The server's process as `npm start` runs it, with nothing else of our environment but the path. */
export function runServer(environment: Record<string, string>, within: readonly string[] = []): ChildProcess {
  const [command = '', ...rest] = [...within, process.execPath, join(ROOT, 'apps/journal/server.ts')];
  return spawn(command, rest, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      ...serverEnvironment,
      ...environment,
    },
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port')),
      );
    });
  });
}
