import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './start-server.ts';

export interface RedisServer {
  /** `redis://127.0.0.1:<port>`. */
  url: string;
  /** Ends it at once: what it had not written to its disk is gone, which is nothing by `persist` and all without. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Keeps it from doing anything, connections and all, until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it and removes what it keeps. */
  close(): Promise<void>;
}

/** A `redis-server` of this machine on a free port, in a folder of its own. `REDIS_SERVER_PATH` names another one. */
export async function startRedisServer({ persist = false } = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-redis-'));
  const port = await freePort();
  const settings = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    ...(persist ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']),
  ];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(process.env.REDIS_SERVER_PATH ?? 'redis-server', settings, {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { stdout } = child;
    await new Promise<void>((resolve, reject) => {
      let printed = '';
      stdout?.on('data', (chunk) => {
        printed += chunk;
        if (printed.includes('Ready to accept connections')) resolve();
      });
      child?.once('error', reject);
      child?.once('exit', () => reject(new Error(`redis-server did not start:\n${printed}`)));
    });
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
