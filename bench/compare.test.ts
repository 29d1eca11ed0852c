import { expect, test } from 'vitest';
import { compareFigures } from './compare.ts';
import type { SavedFigure } from './figures.ts';
import { spreadOf } from './load.ts';

const figure = (rounds: readonly [number, ...number[]], better: SavedFigure['better'] = 'atLeast') => ({
  what: 'pages',
  value: rounds.toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN,
  better,
  noise: spreadOf(rounds),
});

function lost(before: SavedFigure, after: SavedFigure): boolean | undefined {
  return compareFigures([before], [after])[0]?.isLost;
}

test('one wild round of five does not widen what a comparison of benchmarks accepts', () => {
  expect(spreadOf([100, 102, 98, 101, 900])).toBeCloseTo(1 / 101, 5);
  expect(lost(figure([100, 102, 98, 101, 900]), figure([80, 81, 79, 80, 10]))).toBe(true);
  expect(lost(figure([100, 102, 98, 101, 900]), figure([95, 94, 96, 95, 95]))).toBe(false);
});

test('a loss of 85 % is not accepted, however wild the rounds of both runs were', () => {
  const [compared] = compareFigures([figure([20, 300, 100, 5, 500])], [figure([1, 80, 15, 2, 90])]);
  expect(compared).toMatchObject({ isLost: true, isNoisy: true });
  expect(compared?.change).toBeCloseTo(-0.85, 5);
});

test('a figure that is to be small is lost when it grows, also from zero', () => {
  expect(lost(figure([100], 'atMost'), figure([112], 'atMost'))).toBe(true);
  expect(lost(figure([100], 'atMost'), figure([50], 'atMost'))).toBe(false);
  expect(lost(figure([0], 'atMost'), figure([0], 'atMost'))).toBe(false);
  expect(lost(figure([0], 'atMost'), figure([3], 'atMost'))).toBe(true);
});

test('runs without a common figure cannot be compared', () => {
  expect(() => compareFigures([figure([1])], [{ ...figure([1]), what: 'lists' }])).toThrow(
    'The two runs have no figure in common.',
  );
});
