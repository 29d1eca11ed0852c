import { IMAGE_WIDTHS, type ImageFormat } from '@fabrica/contract';

/** Of a picture, what a page is to load. */
export interface ImageSources {
  src: string;
  /** Widths to choose from; undefined for a picture that is given in its own alone. */
  srcSet: string | undefined;
}

/**
 * A file of our storage by its version, also behind a public base address of its own. An SVG fits every width as it is.
 */
const STORED = /^(?:https?:\/\/[^/?#]+)?\/storage\/[^/?#]+\/[^?#]+(?<!\.svg)\?v=[\w-]+$/i;

/** Pixels of a picture that is shown without a choice. */
const PLAIN_WIDTH = 1280;

/**
 * The widths in which our storage gives a picture, as far as its own goes (`width` in pixels, null where it is not
 * known): the last of them is the picture's own. Pictures of elsewhere stay as they are.
 */
export function imageSources(address: string, width: number | null): ImageSources {
  if (!STORED.test(address)) return { src: address, srcSet: undefined };
  const own = width ?? Number.POSITIVE_INFINITY;
  const widths = IMAGE_WIDTHS.filter((_, index) => (IMAGE_WIDTHS[index - 1] ?? 0) < own);
  const srcSet = widths.map((listed) => `${address}&w=${listed} ${Math.min(listed, own)}w`).join(', ');
  return { src: inWidth(address, PLAIN_WIDTH), srcSet };
}

/** One width of a picture in one format, for those that choose neither; pictures of elsewhere stay as they are. */
export function inWidth(
  address: string,
  width: (typeof IMAGE_WIDTHS)[number],
  format: ImageFormat = 'auto',
): string {
  if (!STORED.test(address)) return address;
  return `${address}&w=${width}${format === 'auto' ? '' : `&format=${format}`}`;
}
