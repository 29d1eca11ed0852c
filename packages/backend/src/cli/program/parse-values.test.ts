import { expect, it } from 'vitest';
import { parseAge } from './parse-values.ts';

const HOUR_MS = 60 * 60 * 1000;

it.each([
  ['24h', 24 * HOUR_MS],
  ['36h', 36 * HOUR_MS],
  ['7d', 7 * 24 * HOUR_MS],
])('the age %j is %d ms', (typed, ms) => {
  expect(parseAge(typed)).toBe(ms);
});

it.each(['1h', '23h', '0d', 'yesterday', '', '-2d', '1.5d'])('%j is refused as an age', (typed) => {
  expect(() => parseAge(typed)).toThrow('must be hours or days, such as 36h or 7d');
});
