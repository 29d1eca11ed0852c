import { expect, it } from 'vitest';
import { formatLongDate } from './long-date.tsx';

it('a date is written out in US English, as it is in UTC', () => {
  expect(formatLongDate(Date.UTC(2026, 10, 21, 23, 59))).toBe('November 21, 2026');
  expect(formatLongDate(Date.UTC(2026, 10, 22, 0, 0))).toBe('November 22, 2026');
});
