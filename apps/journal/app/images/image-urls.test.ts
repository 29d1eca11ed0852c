import { expect, it } from 'vitest';
import { imageUrls, resizedUrl } from './image-urls.ts';

const STORED = '/storage/journal/posts/1.webp?v=ab12cd34';

/** Returns the width in the URL and the described width of each candidate. */
function candidates(srcSet: string | undefined): [requested: number, described: number][] {
  return (srcSet ?? '').split(', ').map((candidate) => {
    const [, requested, described] = /&w=(\d+) (\d+)w$/.exec(candidate) ?? [];
    return [Number(requested), Number(described)];
  });
}

it('an image is offered in the listed widths up to its own', () => {
  expect(candidates(imageUrls(STORED, 1280).srcSet)).toEqual([
    [160, 160],
    [320, 320],
    [480, 480],
    [640, 640],
    [800, 800],
    [960, 960],
    [1280, 1280],
  ]);
  expect(candidates(imageUrls(STORED, 5000).srcSet).at(-1)).toEqual([2560, 2560]);
  expect(candidates(imageUrls(STORED, null).srcSet)).toHaveLength(9);
});

it('the last width of an image is its own where that is not listed', () => {
  expect(candidates(imageUrls(STORED, 500).srcSet).slice(-2)).toEqual([
    [480, 480],
    [640, 500],
  ]);
  expect(candidates(imageUrls(STORED, 100).srcSet)).toEqual([[160, 100]]);
});

it('all URLs of an image name the same version, also the one for browsers without srcset', () => {
  const { src, srcSet } = imageUrls(STORED, 1280);
  expect(src).toBe(`${STORED}&w=1280`);
  for (const candidate of srcSet?.split(', ') ?? []) expect(candidate.startsWith(`${STORED}&w=`)).toBe(true);
});

it('the URLs of an image begin with the public base URL where there is one', () => {
  expect(imageUrls(`https://cdn.example${STORED}`, 320).srcSet).toContain(
    `https://cdn.example${STORED}&w=320 320w`,
  );
});

it.each([
  '/favicon.svg',
  'https://elsewhere.example/plate.png',
  '/storage/journal/posts/1.webp',
  '/storage/journal/posts/1.svg?v=ab12cd34',
  '/elsewhere/storage/journal/posts/1.webp?v=ab',
  'blob:https://journal.example/0b1c',
])('the URL %s is used unchanged', (url) => {
  expect(imageUrls(url, 1280)).toEqual({ src: url, srcSet: undefined });
  expect(resizedUrl(url, 1280, 'jpeg')).toBe(url);
});

it('one width of an image in one format has one URL', () => {
  expect(resizedUrl(STORED, 1280, 'jpeg')).toBe(`${STORED}&w=1280&format=jpeg`);
  expect(resizedUrl(STORED, 320)).toBe(`${STORED}&w=320`);
});
