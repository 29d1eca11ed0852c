import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './start-server.ts';

export interface RedisServer {
  /** `redis://127.0.0.1:<port>`. */
  url: string;
  port: number;
  /** Kills the server. It loses all data, unless it was started with `persist`. */
  kill(): Promise<void>;
  /** Starts the server again on the same port. */
  start(): Promise<void>;
  /** Starts a server that was killed again on the same port, without the data that it kept. */
  startEmpty(): Promise<void>;
  /** Suspends the server, which keeps its connections open, until `resume`. */
  pause(): void;
  resume(): void;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

export interface RedisOptions {
  /** Whether it keeps its data when it is killed. */
  persist?: boolean;
  /** Further lines of its configuration. */
  settings?: readonly string[];
  /** Whether it is a sentinel. */
  isSentinel?: boolean;
}

/**
 * Starts this machine's `redis-server`, or the one that `REDIS_SERVER_PATH` names, on a free port with a folder of its own.
 */
export async function startRedisServer({
  persist = false,
  settings = [],
  isSentinel = false,
}: RedisOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-redis-'));
  const port = await freePort();
  const data = ['save ""', ...(persist ? ['appendonly yes', 'appendfsync always'] : ['appendonly no'])];
  const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...(isSentinel ? [] : data), ...settings];
  const config = join(folder, 'redis.conf');
  await writeFile(config, `${lines.join('\n')}\n`);
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const args = [config, ...(isSentinel ? ['--sentinel'] : [])];
    child = spawn(process.env.REDIS_SERVER_PATH ?? 'redis-server', args, {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { stdout } = child;
    await new Promise<void>((resolve, reject) => {
      let printed = '';
      stdout?.on('data', (chunk) => {
        printed += chunk;
        if (/Ready to accept connections|Sentinel ID is/.test(printed)) resolve();
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
    port,
    kill,
    start,
    async startEmpty() {
      await rm(join(folder, 'appendonlydir'), { recursive: true, force: true });
      await start();
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
