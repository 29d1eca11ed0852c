/** Describes the box that an image fills: either it is cropped to the box, or it is shown whole on a ground. */
export interface ImageFrame {
  /** Width divided by height. */
  ratio: number;
  /** An image of which more than this share would be cut off is shown whole; 1 for a frame that crops all images. */
  maxCrop: number;
  /**
   * The frame's width in CSS, each with its media condition; the last one, without a condition, is the default. Sums
   * and products need no `calc()`.
   */
  widths: readonly (readonly [media: string, length: string] | readonly [length: string])[];
}

/** Holds an image's pixels after rotation; `null` where they are not known. */
export interface ImageSize {
  width: number | null;
  height: number | null;
}

/** Says how an image lies in its frame. */
export interface ImageFit {
  /** Whether it is shown whole, and not cropped. */
  isWhole: boolean;
  /** Its width and its height, divided by the frame's; above 1 where it is cropped. */
  width: number;
  height: number;
}

/** Fits an image into its frame. One of unknown size is as large as the frame, and cropped only if all images are. */
export function fitImage({ ratio, maxCrop }: ImageFrame, { width, height }: ImageSize): ImageFit {
  if (!width || !height) return { isWhole: maxCrop < 1, width: 1, height: 1 };
  const relative = width / height / ratio;
  const isWhole = 1 - Math.min(relative, 1 / relative) > maxCrop;
  if (isWhole) return { isWhole, width: Math.min(1, relative), height: Math.min(1, 1 / relative) };
  return { isWhole, width: Math.max(1, relative), height: Math.max(1, 1 / relative) };
}

/** Returns the `sizes` attribute of an image in its frame: the width in which it is laid out, with what is cut off. */
export function frameSizes(frame: ImageFrame, size: ImageSize): string {
  const scale = Math.round(fitImage(frame, size).width * 100) / 100;
  const scaled = (length: string) => (scale === 1 ? `calc(${length})` : `calc(${scale} * (${length}))`);
  return frame.widths
    .map(([first, length]) => (length === undefined ? scaled(first) : `${first} ${scaled(length)}`))
    .join(', ');
}

/** The frame of a post's artwork, as wide as `post-article` has it. Only artworks of nearly its ratio fill it. */
export const HERO_FRAME: ImageFrame = {
  ratio: 16 / 10,
  maxCrop: 0.08,
  widths: [
    ['(min-width: 64rem)', 'min(61.3vw - 0.83rem, 46rem, max(30rem, (100vh - 23.5rem) * 1.6))'],
    ['min(92vw, max(38rem, (100vh - 18rem) * 1.6))'],
  ],
};
