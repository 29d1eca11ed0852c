import { expect, test } from 'vitest';
import { distanceDown } from './uncover-controls.ts';

/** Notices at the top of the window, where the header has left, and below the header once it is back. */
const BANDS = { before: { top: 0, bottom: 60 }, after: { top: 70, bottom: 130 } };
const control = (top: number) => ({ top, bottom: top + 40 });

test.each([
  ['nothing is covered', [control(60), control(-40)], 0],
  ['what is covered comes out below the notice', [control(50)], 88],
  ['what is covered higher up comes out too', [control(-20), control(50)], 158],
  ['a control above that would come below the notice comes out as well', [control(-50), control(50)], 188],
  [
    'controls that stand too close for that stay, and the covered one comes out',
    [-280, -220, -160, -100, -40, 20].map(control),
    118,
  ],
])('when %s, the page comes down by so much', (_, controls, distance) => {
  expect(distanceDown(controls, { ...BANDS, most: 1_000 })).toBe(distance);
});

test('the page never comes down further than to its top, where notices push it down', () => {
  expect(distanceDown([control(50)], { ...BANDS, most: 30 })).toBe(30);
});
