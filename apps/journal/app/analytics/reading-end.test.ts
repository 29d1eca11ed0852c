import { expect, it } from 'vitest';
import { minReadingSeconds } from './reading-end.tsx';

it('a text takes a quarter of its reading time at 200 words a minute to count as read, and at least five seconds', () => {
  expect(minReadingSeconds(0)).toBe(5);
  expect(minReadingSeconds(3)).toBe(5);
  expect(minReadingSeconds(200)).toBe(15);
  expect(minReadingSeconds(2_000)).toBe(150);
});
