import type { ImageFormat } from '@fabrica/contract';

/** A picture of more points than this could fill the memory of a small machine. */
export const MAX_PIXELS = 100_000_000;

/** What a variant is made as. */
export type VariantFormat = Exclude<ImageFormat, 'auto'>;

/** What an image turned out to be. */
export interface Inspection {
  /** Pixels, as it is seen: turned upright. */
  width: number;
  height: number;
  /** More than one picture, shown one after the other. */
  animated: boolean;
  /** There is more in the file than the picture (who took it, where, with what), or it is not as viewers show it. */
  needsCleaning: boolean;
  /** A thumbhash, in base64. */
  placeholder: string;
}

/** Work for the image process. Paths are of this machine; what is made is written to `target`. */
export type ImageTask =
  | { kind: 'inspect'; source: string }
  /** The same picture in the same format, upright, in sRGB, and with nothing else in its file. */
  | { kind: 'clean'; source: string; target: string }
  /** In `width` pixels, which it has at least, and as clean. */
  | { kind: 'render'; source: string; target: string; width: number; format: VariantFormat };

/** `fault` is what went wrong, in the decoder's words. */
export type ImageReply = { result: Inspection | null } | { fault: string };
