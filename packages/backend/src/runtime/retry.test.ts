import { expect, test } from 'vitest';
import { backOffMs, retry } from './retry.ts';

/** Fails as often as it is told to, and then returns the number of its attempt. */
function failing(times: number) {
  let attempts = 0;
  return async () => {
    attempts += 1;
    if (attempts <= times) throw new Error(`Attempt ${attempts} failed.`);
    return attempts;
  };
}

test('retry returns what the first attempt that succeeds returns', async () => {
  const seen: [string, number][] = [];
  const pauseAfter = (error: unknown, attempt: number) => {
    seen.push([(error as Error).message, attempt]);
    return 1;
  };
  expect(await retry(failing(2), { pauseAfter })).toBe(3);
  expect(seen).toEqual([
    ['Attempt 1 failed.', 1],
    ['Attempt 2 failed.', 2],
  ]);
});

test('retry throws what the last attempt threw when there shall be no further one', async () => {
  const pauseAfter = (_: unknown, attempt: number) => (attempt < 2 ? 1 : undefined);
  await expect(retry(failing(5), { pauseAfter })).rejects.toThrow('Attempt 2 failed.');
});

test('retry makes no attempt once its signal is aborted', async () => {
  let attempts = 0;
  const act = () => {
    attempts += 1;
  };
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(retry(act, { pauseAfter: () => 1, signal })).rejects.toThrow('gone');
  expect(attempts).toBe(0);
});

test('retry ends its pause when its signal is aborted', async () => {
  const leaving = new AbortController();
  const pauseAfter = () => {
    setImmediate(() => leaving.abort());
    return 60_000;
  };
  const retrying = retry(failing(1), { pauseAfter, signal: leaving.signal });
  await expect(retrying).rejects.toMatchObject({ name: 'AbortError' });
});

test('backOffMs doubles the pause with each attempt up to the longest one', () => {
  const pauses = [1, 2, 3, 4].map((attempt) => backOffMs(attempt, { firstMs: 50, longestMs: 300 }));
  expect(pauses).toEqual([50, 100, 200, 300]);
});

test('backOffMs adds no more than the given share by chance', () => {
  const pauses = Array.from({ length: 100 }, () => backOffMs(2, { firstMs: 10, factor: 4, jitter: 0.25 }));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(40);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(50);
  expect(new Set(pauses).size).toBeGreaterThan(1);
});
