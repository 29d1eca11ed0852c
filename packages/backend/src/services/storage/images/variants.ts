import { IMAGE_WIDTHS, type ImageFormat } from '@fabrica/contract';
import { isRasterImage } from '../blobs/media-type.ts';
import type { StoredFile } from '../queries.ts';
import type { VariantFormat } from './image-tasks.ts';

/** A picture in another width and format. */
export interface Variant {
  /** Pixels. */
  width: number;
  format: VariantFormat;
}

/** Wider ones are made when they are first asked for. */
const WIDEST_IN_BACKGROUND = 1280;
const NARROWEST_IN_BACKGROUND = 320;
/** Those that readers' browsers ask for. */
const BACKGROUND_FORMATS = ['avif', 'webp'] as const;

export function presentVariantName({ width, format }: Variant): string {
  return `${width}.${format}`;
}

export function variantContentType({ format }: Variant): string {
  return `image/${format}`;
}

type Picture = Pick<StoredFile, 'content_type' | 'width' | 'animated' | 'placeholder'>;

/** Drawings fit every width as they are, and an animation would lose what it is. */
export function hasVariants({ content_type: contentType, width, animated }: Picture): boolean {
  return isRasterImage(contentType) && width !== null && animated !== 1;
}

/** What is sent of a picture that is asked for in `width` and `format`: never wider than it is. */
export function chooseVariant(
  picture: Picture,
  { width, format }: { width: number; format: ImageFormat },
  accept: string | undefined,
): Variant {
  return {
    width: Math.min(width, picture.width ?? width),
    format: format === 'auto' ? bestFormat(picture, accept) : format,
  };
}

function bestFormat(picture: Picture, accept: string | undefined): VariantFormat {
  return modernFormat(accept) ?? (isTransparent(picture) ? 'png' : 'jpeg');
}

/** The best format that a reader's Accept header names; wildcards promise nothing, for every browser sends them. */
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

/** A thumbhash says so in the highest bit of its third byte. */
function isTransparent({ placeholder }: Picture): boolean {
  const head = Buffer.from(placeholder ?? '', 'base64');
  return ((head[2] ?? 0) & 0x80) !== 0;
}

/** The widths that pages show first, the widest first: the narrower ones are made of it. */
export function backgroundVariants(picture: Picture): Variant[] {
  if (!hasVariants(picture)) return [];
  const widths = IMAGE_WIDTHS.filter(
    (width) => width >= NARROWEST_IN_BACKGROUND && width <= WIDEST_IN_BACKGROUND,
  );
  const reached = new Set(widths.toReversed().map((width) => Math.min(width, picture.width ?? width)));
  return [...reached].flatMap((width) => BACKGROUND_FORMATS.map((format) => ({ width, format })));
}
