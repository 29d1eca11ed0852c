import { IMAGE_SHAPES, IMAGE_WIDTHS, type ImageFormat, type ImageShapeName } from '@fabrica/contract';
import { isRasterImage } from '../blobs/media-type.ts';
import type { StoredFile } from '../queries.ts';
import type { VariantFormat } from './image-tasks.ts';

/** The width and format of a variant. */
export interface Variant {
  /** Pixels. */
  width: number;
  format: VariantFormat;
  /** Set when the image is fitted into a shape. */
  shape?: ImageShapeName;
}

/** Wider variants are made when they are first requested. */
const WIDEST_IN_BACKGROUND = 1280;
const NARROWEST_IN_BACKGROUND = 320;
/** Formats that current browsers request. */
const BACKGROUND_FORMATS = ['avif', 'webp'] as const;

export function presentVariantName({ width, format, shape }: Variant): string {
  return `${shape ?? width}.${format}`;
}

export function variantContentType({ format }: Variant): string {
  return `image/${format}`;
}

type ImageFile = Pick<StoredFile, 'content_type' | 'width' | 'animated' | 'placeholder'>;

/** Returns whether other widths are made: an SVG fits every width, and an animation would lose its frames. */
export function hasVariants({ content_type: contentType, width, animated }: ImageFile): boolean {
  return isRasterImage(contentType) && width !== null && animated !== 1;
}

/** Returns the variant for a requested shape, or for a width and format: then never wider than the image. */
export function chooseVariant(
  image: ImageFile,
  query: { w: number; format: ImageFormat } | { as: ImageShapeName },
  accept: string | undefined,
): Variant {
  if ('as' in query) {
    const { width, format } = IMAGE_SHAPES[query.as];
    return { width, format, shape: query.as };
  }
  const { w: width, format } = query;
  return {
    width: Math.min(width, image.width ?? width),
    format: format === 'auto' ? bestFormat(image, accept) : format,
  };
}

function bestFormat(image: ImageFile, accept: string | undefined): VariantFormat {
  return modernFormat(accept) ?? (isTransparent(image) ? 'png' : 'jpeg');
}

/** Returns the best format that an Accept header names. Wildcards do not count: every browser sends them. */
export function modernFormat(accept = ''): 'avif' | 'webp' | undefined {
  if (takes(accept, 'image/avif')) return 'avif';
  return takes(accept, 'image/webp') ? 'webp' : undefined;
}

function takes(accept: string, type: string): boolean {
  if (!accept.includes(type)) return false;
  return accept.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';');
    return name.trim() === type && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
  });
}

/** Returns whether the image has transparency: the highest bit of the third byte of a thumbhash. */
function isTransparent({ placeholder }: ImageFile): boolean {
  const head = Buffer.from(placeholder ?? '', 'base64');
  return ((head[2] ?? 0) & 0x80) !== 0;
}

/** Returns the variants that pages show first, the widest first: the narrower ones are made of it. */
export function backgroundVariants(image: ImageFile): Variant[] {
  if (!hasVariants(image)) return [];
  const widths = IMAGE_WIDTHS.filter(
    (width) => width >= NARROWEST_IN_BACKGROUND && width <= WIDEST_IN_BACKGROUND,
  );
  const reached = new Set(widths.toReversed().map((width) => Math.min(width, image.width ?? width)));
  return [...reached].flatMap((width) => BACKGROUND_FORMATS.map((format) => ({ width, format })));
}
