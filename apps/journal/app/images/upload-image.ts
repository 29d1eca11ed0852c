import { type FabricaClient, FabricaError, type UploadOptions } from '@fabrica/client';
import type { UploadResponse } from '@fabrica/contract';
import { extensionOf, isConverted } from './image-file.ts';

/** Describes an image in the storage. */
export interface UploadedImage {
  /** Path in the storage. */
  path: string;
  /** The URL that a post stores. */
  url: string;
  /** Pixels after rotation. */
  width: number | null;
  height: number | null;
  /** A thumbhash in base64. */
  placeholder: string | null;
}

export interface UploadImageOptions extends Pick<UploadOptions, 'signal' | 'onProgress'> {
  storage: FabricaClient['storage'];
}

/** Thrown when the storage finds that an uploaded file is not an image. */
export class NotAnImageError extends Error {}

/** Thrown when the storage cannot convert an image that browsers do not show. */
export class UnconvertedImageError extends Error {}

/** Uploads the image of a post. Throws a `NotAnImageError`, an `UnconvertedImageError`, and the errors of the client. */
export async function uploadImage(
  file: File,
  { storage, ...options }: UploadImageOptions,
): Promise<UploadedImage> {
  const path = `posts/${Date.now()}.${extensionOf(file)}`;
  const uploaded = await uploadConverted(file, path, storage, { ...options, upsert: true });
  if (!uploaded.contentType.startsWith('image/')) {
    await removeUpload(uploaded.path, storage);
    throw new NotAnImageError();
  }
  const { width = null, height = null, placeholder = null } = uploaded;
  return {
    ...{ path: uploaded.path, url: storedUrl(uploaded.publicUrl) },
    ...{ width, height, placeholder },
  };
}

/** Uploads an image so that browsers can show it. Throws an `UnconvertedImageError`, and the errors of the client. */
export async function uploadConverted(
  file: File,
  path: string,
  storage: FabricaClient['storage'],
  options: UploadOptions = {},
): Promise<UploadResponse> {
  try {
    return await storage.upload(file, path, { ...options, convert: true });
  } catch (cause) {
    const isUnreadable = cause instanceof FabricaError && cause.code === 'FILE_UNREADABLE';
    throw isUnreadable && (await isConverted(file)) ? new UnconvertedImageError('', { cause }) : cause;
  }
}

/** Removes a file that no post uses. A failure is ignored: the operator's clean-up finds files that no row names. */
export async function removeUpload(path: string, storage: FabricaClient['storage']): Promise<void> {
  await storage.remove(path).catch(() => undefined);
}

/** Returns the URL of an upload as it is stored: as a path, which survives a change of domain. */
export function storedUrl(publicUrl: string): string {
  const { pathname, search } = new URL(publicUrl);
  return `${pathname}${search}`;
}
