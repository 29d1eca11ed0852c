/** The most bytes of one upload: 50 MB. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** The widths in pixels that images are served in. There are no others, so that requests cannot fill the disk. */
export const IMAGE_WIDTHS = [160, 320, 480, 640, 800, 960, 1280, 1920, 2560] as const;

/** The formats that a resized image is served in; `auto` is the best one that the Accept header allows. */
export const IMAGE_FORMATS = ['auto', 'avif', 'webp', 'jpeg', 'png'] as const;

export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** A size that an image is fitted into, whole, in the middle of a ground. */
export interface ImageShape {
  /** Pixels. */
  width: number;
  height: number;
  format: 'jpeg' | 'png';
  /** The colour of the ground; null for a transparent one. */
  ground: string | null;
  /** The part of the size that the image may fill, from 0 to 1. */
  fill: number;
}

function icon(size: number, { ground = null, fill = 1 }: Partial<ImageShape> = {}): ImageShape {
  return { width: size, height: size, format: 'png', ground, fill };
}

/** The shapes that images are served in for other programs: for sites that show shared pages, and as icons. */
export const IMAGE_SHAPES = {
  share: { width: 1200, height: 630, format: 'jpeg', ground: '#fbf8f3', fill: 1 },
  'icon-32': icon(32),
  'icon-180': icon(180, { ground: '#fff' }),
  'icon-192': icon(192),
  'icon-512': icon(512),
  // A system may cut a maskable icon to a circle of four fifths of its width.
  'maskable-512': icon(512, { ground: '#fff', fill: 0.7 }),
} as const satisfies Record<string, ImageShape>;

export type ImageShapeName = keyof typeof IMAGE_SHAPES;

export interface UploadResponse {
  publicUrl: string;
  path: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Pixels, after rotation; null if the file is no image or has no intrinsic size. */
  width: number | null;
  height: number | null;
  /** A thumbhash in base64 to show until the image has loaded; null if the file is no image. */
  placeholder: string | null;
}

export interface RemoveResponse {
  removed: string[];
}

/** Returns the megabytes of a file that is too large, rounded up, so that they are always more than the limit. */
export function wholeMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}

/** Returns the sentence of docs/spec/product.md section 5 for a file of this many bytes. */
export function fileTooLargeMessage(bytes: number): string {
  return `File size (${wholeMegabytes(bytes)} MB) exceeds maximum allowed size (${MAX_UPLOAD_BYTES / 1024 / 1024}MB)`;
}
