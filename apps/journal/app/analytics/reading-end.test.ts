import { expect, it } from 'vitest';
import { leastReadingSeconds } from './reading-end.tsx';

it('is a quarter of what a reader of 200 words a minute needs, and five seconds at least', () => {
  expect(leastReadingSeconds('')).toBe(5);
  expect(leastReadingSeconds('A short text.')).toBe(5);
  expect(leastReadingSeconds('word \n'.repeat(200))).toBe(15);
  expect(leastReadingSeconds('word '.repeat(2_000))).toBe(150);
});
