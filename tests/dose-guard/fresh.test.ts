import { expect, it } from 'vitest';
import { share } from './measure.ts';
import { measureCorrect, measureFresh } from './read-fresh.ts';

/** Errors and correct translations by authors who had not read the guard: what is reached may only get better. */
it.each([
  ['errors-clinical', 0.91, 0.98],
  ['errors-mixed', 0.89, 0.98],
  ['unseen-clinical', 0.88, 0.98],
  ['unseen-mixed', 0.71, 0.98],
  ['likely', 0.6, 0.94],
] as const)('of %s the guard catches %d, and lets pass %d of what is right', (name, caught, passed) => {
  const measured = measureFresh(name);
  expect(measured.caught.all).toBeGreaterThanOrEqual(120);
  const missed = measured.missed.map(({ kind, wrong }) => `${kind}: ${wrong.text}`).join('\n');
  expect(share(measured.caught), missed).toBeGreaterThanOrEqual(caught);
  const held = measured.held.map(({ target }) => target.text).join('\n');
  expect(share(measured.passed), held).toBeGreaterThanOrEqual(passed);
});

it('of idiomatic translations, the guard lets pass 94 in 100', () => {
  const { passed, held } = measureCorrect();
  expect(passed.all).toBeGreaterThan(1_600);
  expect(share(passed), held.map(({ target }) => target.text).join('\n')).toBeGreaterThanOrEqual(0.94);
});
