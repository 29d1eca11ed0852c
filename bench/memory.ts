import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { entryFile } from '../scripts/built.mjs';
import { serverEnvironment } from '../scripts/runtime.mjs';
import { atMost, type Figures } from './figures.ts';
import { runVaried } from './load.ts';
import { memoryAtRest } from './measures.ts';
import { fillPosts } from './posts.ts';
import { LIST } from './rest.ts';
import { type TreeMemory, watchTree } from './tree-memory.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const POSTS = 10_000;

/** Settings of a machine of 1 GB, as docs/operations/sizing.md names them. */
const SMALL = { NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=256' };

export interface MemoryOptions {
  /** The number of posts. */
  posts?: string | undefined;
}

/**
 * Measures the memory of all processes of a node at rest, under load, while its nightly backup is proved under that load, and a minute after
 * it: with the default settings, then with those of a small machine.
 */
export async function benchMemory(figures: Figures, options: MemoryOptions): Promise<void> {
  const posts = Number(options.posts ?? POSTS);
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-bench-'));
  try {
    const filling = await startServer({ DEMO: 'off' }, folder);
    await fillPosts(filling, posts);
    await filling.close();
    await measure(figures, { posts, folder, name: 'memory' });
    await measure(figures, {
      posts,
      folder,
      name: 'memory of a small machine',
      settings: SMALL,
      proofGoal: 850,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Measured {
  /** The number of posts in the folder of data. */
  posts: number;
  folder: string;
  /** The beginning of the names of the figures. */
  name: string;
  settings?: Record<string, string>;
  /** Megabytes that a proof may take. */
  proofGoal?: number;
}

async function measure(
  figures: Figures,
  { posts, folder, name, settings = {}, proofGoal }: Measured,
): Promise<void> {
  const server = await startServer({ DEMO: 'off', ...settings }, folder);
  const pids = [server.process.pid ?? 0];
  const note = (when: string, { own, databases }: TreeMemory, goal?: number) => {
    const what = `${name} ${when}, ${posts} posts`;
    const extra = ` (and ${databases.toFixed(0)} MB of mapped databases)`;
    if (goal === undefined) figures.inform(what, `${own.toFixed(0)} MB${extra}`);
    else figures.note(what, own, atMost(goal, 'MB'), extra);
  };
  try {
    await memoryAtRest(server);
    note('at rest', watchTree(pids).stop(), 180);
    const reading = watchTree(pids);
    await readAll(server, posts);
    note('under uncached pages and lists, at its peak', reading.stop());
    const command = backUp(server, settings);
    const proving = watchTree([...pids, command.pid]);
    let isOver = false;
    const proved = command.ended.finally(() => {
      isOver = true;
    });
    while (!isOver) await readAll(server, posts, 5);
    await proved;
    note('while a backup is proved under that load, at its peak', proving.stop(), proofGoal);
    await wait(60_000);
    note('a minute after that', watchTree(pids).stop(), 420);
  } finally {
    await server.close();
  }
}

/** Asks for pages and lists of all posts, each kind for so many seconds. */
async function readAll(server: RunningServer, posts: number, seconds = 15): Promise<void> {
  for (const template of ['/post/post_@ID', `${LIST}&created_at=lt.@TIME`]) {
    const headers = { 'accept-encoding': 'br' };
    await runVaried(server.url, { connections: 64, seconds, headers, varied: { template, posts } });
  }
}

/** Runs the command of a scheduled backup, with the environment of the server. */
function backUp(server: RunningServer, settings: Record<string, string>) {
  const args = ['backup', '--in', join(server.dataDir, 'backups'), '--prove', '--keep', '1'];
  const child = spawn(process.execPath, [entryFile('cli', ROOT), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ...serverEnvironment, ...server.settings, ...settings },
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stderr)]).then(([[status], errors]) => {
    if (status !== 0) throw new Error(`The backup was not proved: ${errors}`);
  });
  return { pid: child.pid ?? 0, ended };
}
