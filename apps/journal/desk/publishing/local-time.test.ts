import { expect, test } from 'vitest';
import { parseLocalTime } from './local-time.ts';

const iso = (local: string, timeZone: string) => new Date(parseLocalTime(local, timeZone)).toISOString();

test.each([
  ['2026-07-01T09:00', 'Europe/Berlin', '2026-07-01T07:00:00.000Z'],
  ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01T09:00', 'UTC', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00', 'Asia/Kathmandu', '2026-12-01T03:15:00.000Z'],
  ['2026-01-01T00:30', 'Pacific/Auckland', '2025-12-31T11:30:00.000Z'],
  // Berlin puts its clocks forward at 02:00 on 29 March and back at 03:00 on 25 October.
  ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T01:59', 'Europe/Berlin', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  // New York: 8 March and 1 November. Santiago is south of the equator, and changes at midnight.
  ['2026-03-08T02:15', 'America/New_York', '2026-03-08T07:15:00.000Z'],
  ['2026-11-01T01:15', 'America/New_York', '2026-11-01T05:15:00.000Z'],
  ['2026-09-06T00:15', 'America/Santiago', '2026-09-06T04:15:00.000Z'],
])('%s in %s is %s', (local, timeZone, expected) => {
  expect(iso(local, timeZone)).toBe(expected);
});

test('of two times an hour apart over a change of the clocks, the later one is an hour later', () => {
  const between = (from: string, to: string) =>
    parseLocalTime(to, 'Europe/Berlin') - parseLocalTime(from, 'Europe/Berlin');
  expect(between('2026-03-28T12:00', '2026-03-29T12:00')).toBe(23 * 3_600_000);
  expect(between('2026-10-24T12:00', '2026-10-25T12:00')).toBe(25 * 3_600_000);
});

test.each([
  ['2026-02-30T09:00', 'Europe/Berlin', 'at'],
  ['2026-03-29 09:00', 'Europe/Berlin', 'at'],
  ['2026-03-29T24:00', 'Europe/Berlin', 'at'],
  ['2026-03-29T09:00', 'Europe/Nowhere', 'timeZone'],
  ['2026-03-29T09:00', '', 'timeZone'],
])('%s in "%s" is refused', (local, timeZone, field) => {
  expect(() => parseLocalTime(local, timeZone)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED', details: [expect.objectContaining({ field })] }),
  );
});
