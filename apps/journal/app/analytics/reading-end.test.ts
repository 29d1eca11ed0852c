import { expect, it } from 'vitest';
import { minReadingSeconds } from './reading-end.tsx';

it('a text takes a quarter of its reading time at 200 words a minute to count as read, and at least five seconds', () => {
  expect(minReadingSeconds('')).toBe(5);
  expect(minReadingSeconds('A short text.')).toBe(5);
  expect(minReadingSeconds('word \n'.repeat(200))).toBe(15);
  expect(minReadingSeconds('word '.repeat(2_000))).toBe(150);
});
