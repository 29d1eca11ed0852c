/** The place of a picture that fills it and is cropped to it. */
export interface PictureFrame {
  /** Width by height. */
  ratio: number;
  /** How wide it stands: CSS lengths, each with the media condition that it goes with, the last one for all others. */
  widths: readonly (readonly [media: string, length: string] | readonly [length: string])[];
}

/** Pixels, as it is seen; null where it is not known. */
export interface PictureSize {
  width: number | null;
  height: number | null;
}

/**
 * The `sizes` of a picture in its frame: of one that is wider than the frame, the sides are cut off, so that it is
 * laid out wider than what is seen of it.
 */
export function frameSizes({ ratio, widths }: PictureFrame, { width, height }: PictureSize): string {
  const excess = width && height ? Math.max(1, width / height / ratio) : 1;
  const scale = Math.round(excess * 100) / 100;
  const scaled = (length: string) => (scale === 1 ? length : `calc(${scale} * (${length}))`);
  return widths
    .map(([first, length]) => (length === undefined ? scaled(first) : `${first} ${scaled(length)}`))
    .join(', ');
}
