import type { ImageFrame } from '../../images/image-frame.ts';

/** The frame of a post's artwork is as wide as `artwork-width` within `page-width`. Only artworks of nearly its ratio fill it. */
export const HERO_FRAME: ImageFrame = {
  ratio: 16 / 10,
  maxCrop: 0.08,
  widths: [['min(92vw, 74rem, max(38rem, (100vh - 18rem) * 1.6))']],
};
