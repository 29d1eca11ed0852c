import type { InsightDay } from '@fabrica/contract';
import { expect, it } from 'vitest';
import { addDays } from '../range/day-range.ts';
import { groupDays, MAX_CHART_DAYS } from './group-days.ts';

/** Builds days with one view and two likes each. */
function buildDays(from: string, count: number): InsightDay[] {
  return Array.from({ length: count }, (_, index) => ({
    day: addDays(from, index),
    views: 1,
    readers: 1,
    completedReads: 0,
    likes: 2,
  }));
}

it('a chart of a hundred days shows days', () => {
  const spans = groupDays(buildDays('2026-01-01', MAX_CHART_DAYS));
  expect(spans).toHaveLength(MAX_CHART_DAYS);
  expect(spans[1]).toEqual({
    from: '2026-01-02',
    to: '2026-01-02',
    counts: { views: 1, readers: 1, completedReads: 0, likes: 2 },
  });
});

it('a chart of a year shows weeks from Monday, with shorter ones at both ends', () => {
  // 1 January 2026 was a Thursday.
  const spans = groupDays(buildDays('2026-01-01', 365));
  expect(spans).toHaveLength(53);
  expect(spans.slice(0, 2)).toEqual([
    { from: '2026-01-01', to: '2026-01-04', counts: { views: 4, readers: 4, completedReads: 0, likes: 8 } },
    { from: '2026-01-05', to: '2026-01-11', counts: { views: 7, readers: 7, completedReads: 0, likes: 14 } },
  ]);
  expect(spans.at(-1)).toMatchObject({ from: '2026-12-28', to: '2026-12-31' });
  expect(spans.reduce((sum, { counts }) => sum + (counts.views ?? 0), 0)).toBe(365);
});
