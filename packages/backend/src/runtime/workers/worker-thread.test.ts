import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { WorkerThread, type WorkerThreadOptions } from './worker-thread.ts';

const href = (file: string) => new URL(file, import.meta.url).href;

/** Replies to a number with the one after it; fails and ends when it is told to. */
const SCRIPT = `
  import { AppError } from '${href('../../core/errors.ts')}';
  import { serveTasks } from '${href('serve-tasks.ts')}';
  const failures = {
    'app error': () => new AppError('CONFLICT', 'It is there already.', { details: { id: 1 }, retryAfter: 3 }),
    'system error': () => Object.assign(new Error('locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5, open() {} }),
    'presented error': () => new Error('full'),
    'caused error': () => new AppError('STORAGE_FULL', 'No room.', { cause: new Error('disk', { cause: 'x' }) }),
    text: () => 'no error at all',
  };
  const present = (error) => (error.message === 'full' ? new AppError('STORAGE_FULL', 'No room.') : error);
  const server = serveTasks((id, task) => {
    if (task === 'end') process.exit(1);
    if (task === 'crash') throw new Error('as it was told to');
    if (task.ask !== undefined) {
      const answers = Promise.all(task.ask.map((question) => server.ask(id, question)));
      answers
        .then((all) => server.reply(id, all.join(' ')), (error) => server.fail(id, error))
        .finally(() => server.flush());
    } else if (task === 'environment') server.reply(id, Object.keys(process.env).length);
    else if (failures[task]) server.fail(id, failures[task]());
    else server.reply(id, task + 1);
  }, present);
`;

let thread: WorkerThread<unknown>;
const start = (options: Partial<WorkerThreadOptions> = {}) => {
  const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);
  thread = new WorkerThread({ script, name: 'test', ...options });
  return thread;
};

afterEach(() => thread.end());

test('a worker thread replies to each task, in whichever way it was sent', async () => {
  start();
  const calls = [thread.call(1), thread.call(2, { atOnce: true }), thread.call(3)];
  expect(await Promise.all(calls)).toEqual([2, 3, 4]);
});

test('a worker thread throws the AppError of a task with its code, details and time to retry', async () => {
  start();
  const replies = await Promise.allSettled([thread.call(1), thread.call('app error'), thread.call(2)]);
  expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(replies[1]).toMatchObject({
    reason: { name: 'AppError', code: 'CONFLICT', details: { id: 1 }, retryAfter: 3 },
  });
});

test('a worker thread throws any other error of a task with those of its properties that are plain', async () => {
  start();
  const error = await thread.call('system error').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ message: 'locked', code: 'ERR_SQLITE_ERROR', errcode: 5 });
  expect(error).not.toHaveProperty('open');
  await expect(thread.call('text')).rejects.toThrow('no error at all');
});

test('a worker thread throws errors with their causes, which the log needs', async () => {
  start();
  await expect(thread.call('caused error')).rejects.toMatchObject({
    code: 'STORAGE_FULL',
    cause: { message: 'disk', cause: { message: 'x' } },
  });
});

test('a worker thread throws errors as the thread presents them', async () => {
  start();
  await expect(thread.call('presented error')).rejects.toMatchObject({ code: 'STORAGE_FULL' });
});

test('a worker thread keeps no other task waiting for one that cannot be sent', async () => {
  start();
  const replies = await Promise.allSettled([thread.call(1), thread.call(() => undefined), thread.call(2)]);
  expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test.each(['end', 'crash'])(
  'a worker thread that is told to %s fails all tasks under way, and is started again',
  async (task) => {
    start();
    expect(await thread.call(1)).toBe(2);
    const before = thread.generation();
    const replies = await Promise.allSettled([thread.call(task), thread.call(1)]);
    for (const reply of replies) {
      expect(reply).toMatchObject({
        reason: { name: 'ThreadEnded', message: 'The thread "test" came to its end.' },
      });
    }
    expect(thread.generation()).not.toBe(before);
    expect(await thread.call(1)).toBe(2);
  },
);

test('a worker thread that is ended does no task that was not sent yet', async () => {
  start();
  expect(await thread.call(1)).toBe(2);
  const unsent = thread.call(1);
  const ended = thread.end();
  await expect(unsent).rejects.toThrow('came to its end');
  await ended;
  expect(await thread.call(2)).toBe(3);
});

test('a worker thread ends when it has had nothing to do for a while, and is started again', async () => {
  start({ idleMs: 10 });
  expect(await thread.call(1)).toBe(2);
  const before = thread.generation();
  await expect.poll(() => thread.generation()).not.toBe(before);
  expect(await thread.call(2)).toBe(3);
});

test('a worker thread whose time is over does the task first that came just before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  start({ idleMs: 10 });
  expect(await thread.call(1)).toBe(2);
  const before = thread.generation();
  const late = thread.call(2);
  vi.advanceTimersByTime(10);
  expect(await late).toBe(3);
  expect(thread.generation()).toBe(before);
  vi.advanceTimersByTime(10);
  expect(thread.generation()).not.toBe(before);
});

test('a worker thread gets what it asks from the caller of the task that it works on', async () => {
  start();
  const answerFor = (name: string) => ({ answer: async (question: unknown) => `${name} ${question}` });
  const replies = [
    thread.call({ ask: [1, 2] }, answerFor('first')),
    thread.call({ ask: [3] }, answerFor('second')),
  ];
  expect(await Promise.all(replies)).toEqual(['first 1 first 2', 'second 3']);
});

test('a worker thread throws what its question throws, also for an answer that cannot be sent', async () => {
  start();
  const refuse = () => {
    throw new Error('not for you');
  };
  await expect(thread.call({ ask: [1] }, { answer: refuse })).rejects.toThrow('not for you');
  await expect(thread.call({ ask: [1] }, { answer: () => refuse })).rejects.toThrow('could not be cloned');
  expect(await thread.call({ ask: [1] }, { answer: () => 'yes' })).toBe('yes');
});

test('a worker thread that ends while it waits for an answer fails its task, and is started again', async () => {
  start();
  let ending: Promise<void> | undefined;
  const answer = () => {
    ending = thread.end();
    return 'too late';
  };
  await expect(thread.call({ ask: [1] }, { answer })).rejects.toThrow('came to its end');
  await ending;
  expect(await thread.call({ ask: [1] }, { answer: () => 'in time' })).toBe('in time');
});

test('a worker thread that is isolated does not see the environment of the process', async () => {
  start({ isolated: true });
  expect(await thread.call('environment')).toBe(0);
});

test('a worker thread tells how many bytes it holds outside of its heap, none while it does not run', async () => {
  start();
  expect(await thread.externalBytes()).toBe(0);
  await thread.call(1);
  expect(await thread.externalBytes()).toBeGreaterThan(0);
});
