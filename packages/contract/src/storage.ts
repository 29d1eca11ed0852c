import { MAX_UPLOAD_BYTES } from './constants.ts';

export interface UploadAnswer {
  publicUrl: string;
  path: string;
  contentType: string;
  /** Bytes. */
  size: number;
}

export interface RemoveAnswer {
  removed: string[];
}

/** The sentence of product.md section 5; `bytes` is the file's size. */
export function fileTooLargeMessage(bytes: number): string {
  const megabytes = Math.round(bytes / 1024 / 1024);
  return `File size (${megabytes} MB) exceeds maximum allowed size (${MAX_UPLOAD_BYTES / 1024 / 1024}MB)`;
}
