import { describe, expect, it } from 'vitest';
import { imageSources, inWidth } from './image-urls.ts';

const OWN = '/storage/journal/posts/1.webp?v=ab12cd34';

/** Width in the address and as it is described, of each candidate. */
function candidates(srcSet: string | undefined): [asked: number, described: number][] {
  return (srcSet ?? '').split(', ').map((candidate) => {
    const [, asked, described] = /&w=(\d+) (\d+)w$/.exec(candidate) ?? [];
    return [Number(asked), Number(described)];
  });
}

describe('the sources of a picture', () => {
  it('are the listed widths, as far as the picture goes', () => {
    expect(candidates(imageSources(OWN, 1280).srcSet)).toEqual([
      [160, 160],
      [320, 320],
      [480, 480],
      [640, 640],
      [960, 960],
      [1280, 1280],
    ]);
    expect(candidates(imageSources(OWN, 5000).srcSet).at(-1)).toEqual([2560, 2560]);
    expect(candidates(imageSources(OWN, null).srcSet)).toHaveLength(8);
  });

  it('end with the picture’s own width where that is not listed', () => {
    expect(candidates(imageSources(OWN, 500).srcSet).slice(-2)).toEqual([
      [480, 480],
      [640, 500],
    ]);
    expect(candidates(imageSources(OWN, 100).srcSet)).toEqual([[160, 100]]);
  });

  it('are of one version, for browsers that choose none as well', () => {
    const { src, srcSet } = imageSources(OWN, 1280);
    expect(src).toBe(`${OWN}&w=1280`);
    for (const candidate of srcSet?.split(', ') ?? []) expect(candidate.startsWith(`${OWN}&w=`)).toBe(true);
  });

  it('come from the public base address where there is one', () => {
    expect(imageSources(`https://cdn.example${OWN}`, 320).srcSet).toContain(
      `https://cdn.example${OWN}&w=320 320w`,
    );
  });

  it.each([
    '/favicon.svg',
    'https://elsewhere.example/plate.png',
    '/storage/journal/posts/1.webp',
    '/storage/journal/posts/1.svg?v=ab12cd34',
    '/elsewhere/storage/journal/posts/1.webp?v=ab',
    'blob:https://journal.example/0b1c',
  ])('are %s as it stands', (address) => {
    expect(imageSources(address, 1280)).toEqual({ src: address, srcSet: undefined });
    expect(inWidth(address, 1280, 'jpeg')).toBe(address);
  });
});

it('one width in one format is one address', () => {
  expect(inWidth(OWN, 1280, 'jpeg')).toBe(`${OWN}&w=1280&format=jpeg`);
  expect(inWidth(OWN, 320)).toBe(`${OWN}&w=320`);
});
