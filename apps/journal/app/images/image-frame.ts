/** Describes the box that an image fills and is cropped to. */
export interface ImageFrame {
  /** Width divided by height. */
  ratio: number;
  /**
   * The frame's width as CSS lengths, each with its media condition; the last one, without a condition, is the
   * default.
   */
  widths: readonly (readonly [media: string, length: string] | readonly [length: string])[];
}

/** Holds an image's pixels after rotation; `null` where they are not known. */
export interface ImageSize {
  width: number | null;
  height: number | null;
}

/**
 * Returns the `sizes` attribute of an image in its frame. The sides of an image that is wider than its frame are cut
 * off, so it is laid out wider than the part that is seen.
 */
export function frameSizes({ ratio, widths }: ImageFrame, { width, height }: ImageSize): string {
  const excess = width && height ? Math.max(1, width / height / ratio) : 1;
  const scale = Math.round(excess * 100) / 100;
  const scaled = (length: string) => (scale === 1 ? length : `calc(${scale} * (${length}))`);
  return widths
    .map(([first, length]) => (length === undefined ? scaled(first) : `${first} ${scaled(length)}`))
    .join(', ');
}
