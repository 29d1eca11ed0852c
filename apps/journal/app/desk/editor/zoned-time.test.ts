import { expect, test } from 'vitest';
import { timesIn } from '../use-desk.ts';
import { formatZonedTime, parseZonedTime, timeZones } from './zoned-time.ts';

test.each([
  ['2026-07-01', '09:00', 'Europe/Berlin', '2026-07-01T07:00:00.000Z'],
  ['2026-12-01', '09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
  // The hours around both changes of the clocks; of the hour that comes twice it is the first one.
  ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['2026-03-08', '12:00', 'America/New_York', '2026-03-08T16:00:00.000Z'],
  ['2026-04-05', '12:00', 'Australia/Lord_Howe', '2026-04-05T01:30:00.000Z'],
  ['2026-01-01', '00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  ['2026-01-01', '00:00', 'UTC', '2026-01-01T00:00:00.000Z'],
])('%s %s in %s is %s', (date, time, zone, instant) => {
  const at = parseZonedTime(date, time, zone);
  expect(at !== undefined && new Date(at).toISOString()).toBe(instant);
  expect(formatZonedTime(Date.parse(instant), zone)).toEqual({ date, time });
});

test('a time that the clocks jump over is none, and neither is half of one', () => {
  expect(parseZonedTime('2026-03-29', '02:30', 'Europe/Berlin')).toBeUndefined();
  expect(parseZonedTime('2026-03-08', '02:00', 'America/New_York')).toBeUndefined();
  expect(parseZonedTime('', '02:00', 'UTC')).toBeUndefined();
});

test('a time of a zone that the browser does not know is written on the reader’s clocks', () => {
  const at = Date.parse('2026-07-01T07:00:00Z');
  const { zoned, full } = timesIn('en');
  expect(zoned(at, 'Mars/Olympus_Mons')).toBe(full(at));
  expect(zoned(at, 'Asia/Kathmandu')).toMatch(/12:45\sPM \(Asia\/Kathmandu\)$/);
});

test('time zones are listed by today’s names, each once', () => {
  const zones = timeZones();
  expect(zones).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk']));
  expect(zones.filter((zone) => /Calcutta|Kiev|Godthab|Saigon/.test(zone))).toEqual([]);
  expect(new Set(zones).size).toBe(zones.length);
});
