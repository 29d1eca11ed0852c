import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ChildProcess, type ChildProcessOptions } from './child-process.ts';

/** Replies with its process id and the number of tasks that it has had; ends or hangs when it is told to. */
const SCRIPT = `
  let tasks = 0;
  process.on('message', ({ act, bytes }) => {
    tasks += 1;
    if (act === 'crash') process.abort();
    if (act === 'fail') throw new Error('This script has a fault.');
    if (act !== 'hang') process.send({ pid: process.pid, tasks, isBytes: bytes instanceof Uint8Array });
  });
`;

interface Task {
  act: 'reply' | 'crash' | 'fail' | 'hang';
  bytes?: Uint8Array;
}

interface Reply {
  pid: number;
  tasks: number;
  isBytes: boolean;
}

let folder: string;
let child: ChildProcess<Task, Reply>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fabrica-child-'));
  writeFileSync(join(folder, 'script.mjs'), SCRIPT);
});
afterEach(() => child.kill());
afterAll(() => rmSync(folder, { recursive: true }));

function start(options: Partial<ChildProcessOptions> = {}): (act: Task['act']) => Promise<Reply> {
  child = new ChildProcess({ script: new URL(urlOfScript()), idleMs: 20_000, ...options });
  return (act) => child.call({ act });
}

function urlOfScript(): string {
  return pathToFileURL(join(folder, 'script.mjs')).href;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a child process replies to one task after the other', async () => {
  const call = start();
  const first = await call('reply');
  expect(await call('reply')).toEqual({ pid: first.pid, tasks: 2, isBytes: false });
});

test('a child process is sent bytes as bytes', async () => {
  start();
  expect(await child.call({ act: 'reply', bytes: new Uint8Array(3) })).toMatchObject({ isBytes: true });
});

test('what `node --watch` has a child process tell of its modules is no reply', async () => {
  vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const call = start();
  expect(await call('reply')).toMatchObject({ tasks: 1 });
});

test('a child process that a fault of its own script ends is told from one that its task crashes', async () => {
  const call = start();
  await expect(call('fail')).rejects.toMatchObject({ name: 'ProcessEnded', failed: true });
  start({ script: pathToFileURL(join(folder, 'missing.mjs')) });
  await expect(child.call({ act: 'reply' })).rejects.toMatchObject({ name: 'ProcessEnded', failed: true });
});

test('a process that has nothing else to do learns that its child process has ended', () => {
  const waiting = `
    import { ChildProcess } from ${JSON.stringify(import.meta.resolve('./child-process.ts'))};
    const child = new ChildProcess({ script: new URL(${JSON.stringify(urlOfScript())}), idleMs: 1 });
    await child.call({ act: 'fail' }).catch(({ name }) => console.log(name));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', waiting], {
    encoding: 'utf8',
  });
  expect(printed.trim()).toBe('ProcessEnded');
});

test('a child process that was killed since its last task is started again by the next one', async () => {
  const call = start();
  const { pid } = await call('reply');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect((await call('reply')).pid).not.toBe(pid);
});

test('a child process that is killed fails the task under way', async () => {
  const call = start();
  const { pid } = await call('reply');
  const hanging = call('hang');
  child.kill();
  await expect(hanging).rejects.toMatchObject({ name: 'ProcessEnded' });
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect((await call('reply')).pid).not.toBe(pid);
});

test('a child process ends when there has been no task for a while', async () => {
  const call = start({ idleMs: 1 });
  const { pid } = await call('reply');
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect((await call('reply')).tasks).toBe(1);
});
