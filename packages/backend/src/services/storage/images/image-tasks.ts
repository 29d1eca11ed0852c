import type { ImageFormat, ImageShapeName } from '@fabrica/contract';

/** An image of more pixels could fill the memory of a small machine. */
export const MAX_PIXELS = 100_000_000;
/** Decoding a HEIC image of more pixels would take more than a gigabyte. Telephones make 48 megapixels. */
export const MAX_HEIC_PIXELS = 50_000_000;

/** Formats of variants. */
export type VariantFormat = Exclude<ImageFormat, 'auto'>;

/** Facts about an image. */
export interface Inspection {
  /** Pixels, after rotation. */
  width: number;
  height: number;
  /** Whether it has several frames. */
  animated: boolean;
  /** Whether the file has metadata (author, position, camera), or has to be rotated or converted to be shown. */
  needsCleaning: boolean;
  /** A thumbhash, in base64. */
  placeholder: string;
}

/** A task of the image process. Paths are local; the result is written to `target`. */
export type ImageTask =
  | { kind: 'inspect'; source: string }
  /** Writes the same image in the same format, upright, in sRGB and without metadata. */
  | { kind: 'clean'; source: string; target: string }
  /** Reads the size that an image says it has, and decodes nothing. */
  | { kind: 'measure'; source: string }
  /**
   * Writes an image that browsers do not show as a JPEG or PNG. The process ends itself by SIGTERM when that takes more than
   * so many seconds of the processor.
   */
  | { kind: 'convert'; source: string; target: string; processorSeconds: number }
  /** Writes the image `width` pixels wide, no wider than the original, and without metadata. */
  | {
      kind: 'render';
      source: string;
      target: string;
      width: number;
      format: VariantFormat;
      /** Fits the whole image into this shape instead. */
      shape?: ImageShapeName;
    };

/** The result of a task, if it has one. */
export interface ImageResult {
  inspection?: Inspection;
  /** The number that the image says it has. */
  pixels?: number;
}

/** The reply of the image process; `fault` is the decoder's error message. */
export type ImageReply = { result: ImageResult } | { fault: string };
