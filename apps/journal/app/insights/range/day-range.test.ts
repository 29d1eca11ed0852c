import { describe, expect, it } from 'vitest';
import { countDays, presetRanges, rangeBefore, readRange } from './day-range.ts';

const TODAY = '2026-11-22';
const read = (query: string) => readRange(new URLSearchParams(query), TODAY);

describe('readRange', () => {
  it('a URL without days asks for the last 30 days', () => {
    const range = read('lang=de');
    expect(range).toEqual({ from: '2026-10-24', to: TODAY });
    expect(countDays(range)).toBe(30);
  });

  it('a URL with two days asks for the range between them', () => {
    expect(read('from=2026-02-27&to=2026-03-01')).toEqual({ from: '2026-02-27', to: '2026-03-01' });
    expect(read(`from=${TODAY}&to=${TODAY}`)).toEqual({ from: TODAY, to: TODAY });
  });

  it.each([
    ['from=2026-11-01', 'to', 'missing'],
    ['to=2026-11-01', 'from', 'missing'],
    ['from=yesterday&to=2026-11-01', 'from', 'missing'],
    ['from=2026-02-30&to=2026-11-01', 'from', 'missing'],
    ['from=0000-01-01&to=0000-01-02', 'from', 'missing'],
    ['from=2026-11-10&to=2026-11-09', 'to', 'backwards'],
    ['from=2026-11-10&to=2026-11-23', 'to', 'future'],
    ['from=2027-01-01&to=2027-01-02', 'from', 'future'],
    ['from=2025-11-20&to=2026-11-21', 'from', 'tooLong'],
  ])('the query %s has a problem with %s: %s', (query, field, kind) => {
    expect(read(query).problem).toEqual({ field, kind });
  });

  it('a range may have 366 days', () => {
    expect(read('from=2025-11-21&to=2026-11-21').problem).toBeUndefined();
  });
});

it('the range before a range has as many days and ends on the day before it', () => {
  expect(rangeBefore({ from: '2026-03-01', to: '2026-03-07' })).toEqual({
    from: '2026-02-22',
    to: '2026-02-28',
  });
});

it('every preset range ends today', () => {
  expect(presetRanges(TODAY)).toEqual({
    week: { from: '2026-11-16', to: TODAY },
    month: { from: '2026-10-24', to: TODAY },
    quarter: { from: '2026-08-25', to: TODAY },
    year: { from: '2026-01-01', to: TODAY },
  });
});
