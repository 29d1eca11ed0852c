import { IMAGE_WIDTHS, type ImageFormat } from '@fabrica/contract';

/** Holds the URLs from which a browser loads an image. */
interface ImageUrls {
  src: string;
  /** The widths to choose from; `undefined` for an image that exists in one width only. */
  srcSet: string | undefined;
}

/**
 * Matches the versioned URL of a file in the storage, with or without a public base URL. SVGs are left out, because
 * they fit every width as they are.
 */
const STORED_FILE = /^(?:https?:\/\/[^/?#]+)?\/storage\/[^/?#]+\/[^?#]+(?<!\.svg)\?v=[\w-]+$/i;

/** Browsers without `srcset` load the image in this width, in pixels. */
const DEFAULT_WIDTH = 1280;

/**
 * Returns the URLs of an image in each width that the storage offers, up to the image's own `width` in pixels (`null`
 * where it is not known), which is the last candidate. The URL of a foreign image is returned unchanged.
 */
export function imageUrls(url: string, width: number | null): ImageUrls {
  if (!STORED_FILE.test(url)) return { src: url, srcSet: undefined };
  const own = width ?? Number.POSITIVE_INFINITY;
  const widths = IMAGE_WIDTHS.filter((_, index) => (IMAGE_WIDTHS[index - 1] ?? 0) < own);
  const srcSet = widths.map((listed) => `${url}&w=${listed} ${Math.min(listed, own)}w`).join(', ');
  return { src: resizedUrl(url, DEFAULT_WIDTH), srcSet };
}

/** Returns the URL of an image in one width and one format. The URL of a foreign image is returned unchanged. */
export function resizedUrl(
  url: string,
  width: (typeof IMAGE_WIDTHS)[number],
  format: ImageFormat = 'auto',
): string {
  if (!STORED_FILE.test(url)) return url;
  return `${url}&w=${width}${format === 'auto' ? '' : `&format=${format}`}`;
}
