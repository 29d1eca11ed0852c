import { expect, test } from 'vitest';
import { forEachConcurrently } from './for-each-concurrently.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('forEachConcurrently works on eight items at a time until it has seen all of them', async () => {
  const seen: number[] = [];
  let working = 0;
  let most = 0;
  await forEachConcurrently(
    Array.from({ length: 50 }, (_, index) => index),
    async (item) => {
      working += 1;
      most = Math.max(most, working);
      await settled();
      working -= 1;
      seen.push(item);
    },
  );
  expect(most).toBe(8);
  expect(seen.sort((left, right) => left - right)).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test('forEachConcurrently throws the error of an item once the others are through', async () => {
  const seen: string[] = [];
  async function* items() {
    yield* ['bad', 'good', 'good as well'];
  }
  const failing = forEachConcurrently(items(), async (item) => {
    if (item === 'bad') throw new Error('This item is bad.');
    await settled();
    seen.push(item);
  });
  await expect(failing).rejects.toThrow('This item is bad.');
  expect(seen).toEqual(['good', 'good as well']);
});
