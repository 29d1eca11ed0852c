import { expect, it } from 'vitest';
import { frameSizes, type ImageFrame } from './image-frame.ts';

const FRAME: ImageFrame = { ratio: 4 / 5, widths: [['(min-width: 64rem)', '30vw - 2rem'], ['92vw']] };

it.each([
  ['of the frame’s own ratio', 1280, 1600],
  ['that is narrower', 800, 2000],
  ['whose size is not known', null, null],
])('an image %s is laid out as wide as its frame', (_, width, height) => {
  expect(frameSizes(FRAME, { width, height })).toBe('(min-width: 64rem) 30vw - 2rem, 92vw');
});

it('an image that is wider than its frame also needs the pixels that are cut off', () => {
  expect(frameSizes(FRAME, { width: 1600, height: 1000 })).toBe(
    '(min-width: 64rem) calc(2 * (30vw - 2rem)), calc(2 * (92vw))',
  );
});
