import { type FabricaClient, FabricaError, type UploadOptions } from '@fabrica/client';
import type { UploadResponse } from '@fabrica/contract';
import { extensionOf, isConverted } from '../../images/image-file.ts';
import type { CheckpointStore, UploadedImage } from '../draft/checkpoint.ts';

export interface UploadImageOptions {
  storage: FabricaClient['storage'];
  /** The site's own origins. An image's URL is stored without them, so that it survives a change of domain. */
  origins: readonly string[];
  checkpoint: CheckpointStore;
  /** Aborted when the author cancels. */
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress(fraction: number): void;
}

/** Thrown when the storage finds that an uploaded file is not an image. */
export class NotAnImageError extends Error {}

/** Thrown when the storage cannot convert an image that browsers do not show. */
export class UnconvertedImageError extends Error {}

/**
 * Uploads the image, unless an earlier attempt did so. Throws a `NotAnImageError`, an `UnconvertedImageError`, the errors
 * of the client, and the signal's reason.
 */
export async function uploadImage(
  file: File,
  { storage, origins, checkpoint, signal, onProgress }: UploadImageOptions,
): Promise<UploadedImage> {
  const fingerprint = [file.name, file.type, file.size, file.lastModified].join(' ');
  const earlier = checkpoint.read().image;
  if (earlier?.fingerprint === fingerprint) return earlier;
  await discardImage(checkpoint, storage);
  const sending = abortableWhileSending(signal);
  const uploaded = await uploadConverted(file, `posts/${Date.now()}.${extensionOf(file)}`, storage, {
    upsert: true,
    signal: sending.signal,
    onProgress(fraction) {
      if (fraction === 1) sending.allSent();
      onProgress(fraction);
    },
  });
  const { path, width, height, placeholder } = uploaded;
  const isImage = uploaded.contentType.startsWith('image/');
  if (signal.aborted || !isImage) {
    await removeFile(path, storage);
    signal.throwIfAborted();
    throw new NotAnImageError();
  }
  const url = withoutOwnOrigin(uploaded.publicUrl, origins);
  const image = { fingerprint, path, url, width, height, placeholder };
  checkpoint.write({ ...checkpoint.read(), image });
  return image;
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

/**
 * Removes an image that was uploaded for a post that was never sent. A post that was sent may exist even if its
 * response was lost, so it keeps its image.
 */
export async function discardImage(
  checkpoint: CheckpointStore,
  storage: FabricaClient['storage'],
): Promise<void> {
  const { image, ...rest } = checkpoint.read();
  if (!image?.path || rest.postId) return;
  // Forgotten first, so that no other attempt uses an image that is about to be removed.
  checkpoint.write(rest);
  await removeFile(image.path, storage);
}

/** Removes a file. A failure is ignored: the operator's clean-up finds files that no row names. */
async function removeFile(path: string, storage: FabricaClient['storage']): Promise<void> {
  await storage.remove(path).catch(() => undefined);
}

/**
 * Returns a signal that follows the given one until everything is sent; after that, only the response names the file.
 */
function abortableWhileSending(given: AbortSignal): { signal: AbortSignal; allSent(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(given.reason);
  given.addEventListener('abort', abort, { once: true });
  if (given.aborted) abort();
  return { signal: controller.signal, allSent: () => given.removeEventListener('abort', abort) };
}

/** Returns a URL of this site as a path, so that it survives a change of domain. */
export function withoutOwnOrigin(url: string, origins: readonly string[]): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, search } = new URL(url);
  return origins.includes(origin) ? `${pathname}${search}` : url;
}
