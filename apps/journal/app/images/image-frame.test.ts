import { expect, it } from 'vitest';
import { fitImage, frameSizes, type ImageFrame } from './image-frame.ts';

const PLATE: ImageFrame = {
  ratio: 4 / 5,
  maxCrop: 1,
  widths: [['(min-width: 64rem)', '30vw - 2rem'], ['92vw']],
};
const HERO: ImageFrame = { ratio: 16 / 10, maxCrop: 0.08, widths: [['min(92vw, 74rem)']] };

it.each([
  ['of the frame’s own ratio', 1280, 1600],
  ['that is narrower', 800, 2000],
  ['whose size is not known', null, null],
])('an image %s is laid out as wide as the frame that crops it', (_, width, height) => {
  expect(frameSizes(PLATE, { width, height })).toBe('(min-width: 64rem) calc(30vw - 2rem), calc(92vw)');
});

it('an image that is wider than its frame also needs the pixels that are cut off', () => {
  expect(frameSizes(PLATE, { width: 1600, height: 1000 })).toBe(
    '(min-width: 64rem) calc(2 * (30vw - 2rem)), calc(2 * (92vw))',
  );
});

it('an image that is shown whole is laid out in the part of the frame that it takes', () => {
  expect(frameSizes(HERO, { width: 1280, height: 1600 })).toBe('calc(0.5 * (min(92vw, 74rem)))');
  expect(frameSizes(HERO, { width: 3200, height: 1000 })).toBe('calc(min(92vw, 74rem))');
});

it.each([
  ['a portrait', 1280, 1600, { isWhole: true, width: 0.5, height: 1 }],
  ['a panorama', 3200, 1000, { isWhole: true, width: 1, height: 0.5 }],
  ['16:9, of which a tenth would be cut off', 1600, 900, { isWhole: true, width: 1 }],
  ['3:2, of which a sixteenth is cut off', 1500, 1000, { isWhole: false, width: 1 }],
  ['the frame’s own ratio', 1600, 1000, { isWhole: false, width: 1, height: 1 }],
  ['an unknown size', null, null, { isWhole: true, width: 1, height: 1 }],
])('a frame that may cut off 8 % fits an image of %s', (_, width, height, fit) => {
  expect(fitImage(HERO, { width, height })).toMatchObject(fit);
});
