/** Bytes of one upload at most: 50 MB. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** Widths that pictures are given in, in pixels: no others, so that nobody can fill the disk by asking. */
export const IMAGE_WIDTHS = [160, 320, 480, 640, 960, 1280, 1920, 2560] as const;

/** What a picture of another width can be asked for as; `auto` is the best that the reader's Accept header takes. */
export const IMAGE_FORMATS = ['auto', 'avif', 'webp', 'jpeg', 'png'] as const;

export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export interface UploadResponse {
  publicUrl: string;
  path: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Pixels, as it is seen; null for what is no image, and for one that has no size of its own. */
  width: number | null;
  height: number | null;
  /** A thumbhash in base64: what to show until an image is there; null for what is no image. */
  placeholder: string | null;
}

export interface RemoveResponse {
  removed: string[];
}

/** The sentence of docs/spec/product.md section 5; `bytes` is the file's size. */
export function fileTooLargeMessage(bytes: number): string {
  const megabytes = Math.round(bytes / 1024 / 1024);
  return `File size (${megabytes} MB) exceeds maximum allowed size (${MAX_UPLOAD_BYTES / 1024 / 1024}MB)`;
}
