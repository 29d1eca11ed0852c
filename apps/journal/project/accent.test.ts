import { expect, it } from 'vitest';
import { accentContrast, isReadableAccent } from './accent.ts';

it('the contrast of black and white is 21 and that of a ground with itself is 1', () => {
  expect(accentContrast('#000000', 'light')).toBeCloseTo(19.8, 1);
  expect(accentContrast('#fbf8f3', 'light')).toBe(1);
  expect(accentContrast('#14110f', 'dark')).toBe(1);
});

it('an accent needs a contrast of 4.5 with every ground of its theme', () => {
  // #767676 on pure white is the grey that just passes; the paper is a little darker than white.
  expect(isReadableAccent('#767676', 'light')).toBe(false);
  expect(isReadableAccent('#6f6f6f', 'light')).toBe(true);
  expect(isReadableAccent('#8c2f2b', 'light')).toBe(true);
  expect(isReadableAccent('#8c2f2b', 'dark')).toBe(false);
  expect(isReadableAccent('#e58a80', 'dark')).toBe(true);
});

it.each(['red', '#fff', '#8C2F2', '#8c2f2b;}', ''])('%j is no accent', (text) => {
  expect(isReadableAccent(text, 'light')).toBe(false);
});
