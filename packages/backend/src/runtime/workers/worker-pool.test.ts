import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { WorkerPool } from './worker-pool.ts';

const href = (file: string) => new URL(file, import.meta.url).href;

/** Replies with what it is given and the thread's number, and does what takes too much when it is told to. */
const SCRIPT = `
  import { threadId } from 'node:worker_threads';
  import { serveTasks } from '${href('serve-tasks.ts')}';
  const held = [];
  const server = serveTasks((id, task) => {
    if (task === 'loop') for (;;);
    if (task === 'fill the heap') for (;;) held.push([held.length]);
    if (task === 'fill buffers') for (;;) held.push(Buffer.alloc(1024 * 1024, 1));
    if (task === 'fail') server.fail(id, new Error('The task failed.'));
    else server.reply(id, { task, threadId });
  });
`;

interface Reply {
  task: string;
  threadId: number;
}

const { signal } = new AbortController();
let pool: WorkerPool<string>;

function build(
  options: { threads?: number; maxWaiting?: number; processorMs?: number; idleMs?: number } = {},
) {
  pool = new WorkerPool({
    script: new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`),
    name: 'test',
    threads: 1,
    maxWaiting: 10,
    processorMs: 20_000,
    idleMs: 20_000,
    ...options,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 },
    maxExternalBytes: 64 * 1024 * 1024,
    fullError: () => new AppError('RATE_LIMITED', 'Too many tasks wait.'),
    limitError: () => new AppError('DOCUMENT_UNREADABLE', 'This takes too much.'),
  });
  return (task: string, given = signal) => pool.run<Reply>(task, given);
}

afterEach(() => pool.close(new Error('The test is over.')));

test('a worker pool gives a task to the thread that was used last', async () => {
  const run = build({ threads: 2 });
  const together = await Promise.all([run('a'), run('b')]);
  expect(new Set(together.map(({ threadId }) => threadId)).size).toBe(2);
  const last = (await run('c')).threadId;
  expect([(await run('d')).threadId, (await run('e')).threadId]).toEqual([last, last]);
});

test('a worker pool throws what a task throws, and keeps its thread', async () => {
  const run = build();
  const { threadId } = await run('a');
  await expect(run('fail')).rejects.toThrow('The task failed.');
  expect(await run('b')).toEqual({ task: 'b', threadId });
});

test.each([
  ['fills the heap', 'fill the heap'],
  ['fills buffers beside the heap', 'fill buffers'],
])(
  'a task of a worker pool that %s is ended with its thread, and the next one has a new thread',
  async (_, task) => {
    const run = build();
    const { threadId } = await run('a');
    const [tooMuch, next] = await Promise.allSettled([run(task), run('b')]);
    expect(tooMuch).toMatchObject({
      reason: { code: 'DOCUMENT_UNREADABLE', message: 'This takes too much.' },
    });
    expect(next).toMatchObject({ value: { task: 'b' } });
    expect(next).not.toMatchObject({ value: { threadId } });
  },
);

test('a task of a worker pool that takes too long is ended', async () => {
  const run = build({ processorMs: 50 });
  await expect(run('loop')).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' });
});

test('a task of a worker pool ends when its caller leaves, whether it is under way or waits', async () => {
  const run = build();
  await run('a');
  const leaving = new AbortController();
  const left = Promise.allSettled([run('loop', leaving.signal), run('b', leaving.signal)]);
  const staying = run('c');
  leaving.abort(new Error('The caller left.'));
  for (const outcome of await left) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'The caller left.' } });
  }
  expect(await staying).toMatchObject({ task: 'c' });
});

test('a worker pool throws an error of its owner when too many tasks wait', async () => {
  const run = build({ maxWaiting: 1 });
  const tasks = Promise.all([run('a'), run('b')]);
  await expect(run('c')).rejects.toMatchObject({ code: 'RATE_LIMITED', message: 'Too many tasks wait.' });
  expect(await tasks).toMatchObject([{ task: 'a' }, { task: 'b' }]);
});

test('a thread of a worker pool ends when there has been no task for a while', async () => {
  const run = build({ idleMs: 1 });
  const { threadId } = await run('a');
  await expect.poll(async () => (await run('b')).threadId, { interval: 20 }).not.toBe(threadId);
});

test('a worker pool that is closed gives up the task under way, those that wait, and later ones', async () => {
  const run = build();
  await run('a');
  const givenUp = Promise.allSettled([run('loop'), run('b')]);
  await pool.close(new Error('No tasks are done any more.'));
  const reason = { message: 'No tasks are done any more.' };
  expect(await givenUp).toMatchObject([{ reason }, { reason }]);
  await expect(run('c')).rejects.toMatchObject(reason);
});
