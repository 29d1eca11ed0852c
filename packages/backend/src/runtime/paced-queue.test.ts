import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PacedQueue } from './paced-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WORK_MS = 100;

/** A queue whose work takes 100 ms of the clock, and fails for the keys that the test names. */
function build(capacity?: number) {
  const taken: string[] = [];
  const errors: unknown[] = [];
  const failing = new Set<string>();
  const queue = new PacedQueue({
    ...(capacity !== undefined && { capacity }),
    async take(key) {
      taken.push(key);
      await new Promise((resolve) => setTimeout(resolve, WORK_MS));
      if (failing.has(key)) throw new Error(key);
    },
    onError: (error) => errors.push(error),
  });
  return { queue, taken, errors, failing };
}

test('a paced queue works for a tenth of the time, and begins after who added the key is done', async () => {
  const { queue, taken } = build();
  for (let key = 0; key < 1_000; key += 1) queue.add(`key${key}`);
  expect(taken).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(taken.length).toBeGreaterThanOrEqual(9);
  expect(taken.length).toBeLessThanOrEqual(10);
  expect(taken.slice(0, 3)).toEqual(['key0', 'key1', 'key2']);
  // Keys that are added meanwhile do not hurry it.
  for (let more = 0; more < 100; more += 1) {
    queue.add(`more${more}`);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(taken.length).toBeLessThanOrEqual(11);
  await queue.close();
});

test('a paced queue takes a key once that was added often, and again when it was added while it was taken', async () => {
  const { queue, taken } = build();
  for (let time = 0; time < 10; time += 1) queue.add('a');
  await vi.advanceTimersByTimeAsync(50);
  expect(taken).toEqual(['a']);
  queue.add('a');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(taken).toEqual(['a', 'a']);
  await queue.close();
});

test('a paced queue holds as many keys as it may, and takes those that come once it is empty', async () => {
  const { queue, taken } = build(2);
  for (const key of ['a', 'b', 'c']) queue.add(key);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(taken).toEqual(['a', 'b']);
  queue.add('d');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(taken).toEqual(['a', 'b', 'd']);
  await queue.close();
});

test('a key that fails holds up no other, and is taken again later', async () => {
  const { queue, taken, errors, failing } = build();
  failing.add('a');
  for (const key of ['a', 'b']) queue.add(key);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(taken).toEqual(['a', 'b', 'a']);
  expect(errors).toHaveLength(2);
  failing.clear();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(taken).toEqual(['a', 'b', 'a', 'a']);
  await queue.close();
  queue.add('e');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(taken).toHaveLength(4);
});
