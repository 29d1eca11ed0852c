import { afterEach, describe, expect, test } from 'vitest';
import { createThread, type Thread } from './thread.ts';

/** Answers a number with the one after it; throws and ends when it is told to. */
const SCRIPT = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (sent) => {
    const answers = [];
    for (const [id, task] of sent) {
      if (task === 'end') process.exit(1);
      if (task === 'crash') throw new Error('as it was told to');
      if (task === 'fail') answers.push([id, undefined, { message: 'no', service: { code: 'CONFLICT' } }]);
      else answers.push([id, task + 1]);
    }
    parentPort.postMessage(answers);
  });
`;

let thread: Thread<unknown>;
const start = (options: { idleMs?: number } = {}) => {
  const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);
  thread = createThread({ script, name: 'test', ...options });
  return thread;
};

afterEach(() => thread.end());

describe('a thread', () => {
  test('a thread returns the result of each task, whether it was sent at once or with others', async () => {
    const { call } = start();
    expect(await Promise.all([call(1), call(2, { atOnce: true }), call(3)])).toEqual([2, 3, 4]);
  });

  test('a call throws the error of its task', async () => {
    const { call } = start();
    const answers = await Promise.allSettled([call(1), call('fail'), call(2)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(answers[1]).toMatchObject({ reason: { name: 'AppError', code: 'CONFLICT', message: 'no' } });
  });

  test('a task that cannot be sent fails without holding up others', async () => {
    const { call } = start();
    const answers = await Promise.allSettled([call(1), call(() => undefined), call(2)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test.each(['end', 'crash'])(
    'all calls fail when their thread ends, and the next call starts another: %s',
    async (task) => {
      const { call, generation } = start();
      expect(await call(1)).toBe(2);
      const before = generation();
      const answers = await Promise.allSettled([call(task), call(1)]);
      for (const answer of answers) {
        expect(answer).toMatchObject({ reason: { message: 'The thread "test" came to its end.' } });
      }
      expect(generation()).not.toBe(before);
      expect(await call(1)).toBe(2);
    },
  );

  test('a task that was not sent when the thread ended is never run', async () => {
    const { call, end } = start();
    expect(await call(1)).toBe(2);
    const unsent = call(1);
    const ended = end();
    await expect(unsent).rejects.toThrow('came to its end');
    await ended;
    expect(await call(2)).toBe(3);
  });

  test('an idle thread ends, and the next call starts another', async () => {
    const { call, generation } = start({ idleMs: 10 });
    expect(await call(1)).toBe(2);
    const before = generation();
    await expect.poll(generation).not.toBe(before);
    expect(await call(2)).toBe(3);
  });
});
