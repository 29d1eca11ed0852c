import type { ImageFrame } from '../images/image-frame.ts';

/** A plate on the wall, 4:5, in a column of `GRID_CLASS` within `page-width`. */
export const PLATE_FRAME: ImageFrame = {
  ratio: 4 / 5,
  widths: [
    ['(min-width: 80rem)', '23rem'],
    ['(min-width: 64rem)', '30.67vw - 1.67rem'],
    ['(min-width: 48rem)', '46vw - 1rem'],
    ['92vw'],
  ],
};
