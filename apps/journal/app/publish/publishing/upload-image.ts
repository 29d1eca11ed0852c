import type { FabricaClient } from '@fabrica/client';
import { extensionOf } from '../../images/image-file.ts';
import type { AchievedStore, UploadedImage } from '../draft/checkpoint.ts';

export interface UploadImageOptions {
  storage: FabricaClient['storage'];
  /** Origins that are ours: an image's address is kept without them, so that it survives a change of domain. */
  origins: readonly string[];
  achieved: AchievedStore;
  /** The author does not want it any more. */
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress(fraction: number): void;
}

/** What was uploaded turned out to be no image. */
export class NotAnImageError extends Error {}

/** Uploads the image unless an earlier try did so; throws a NotAnImageError, what the client throws, or the signal's reason. */
export async function uploadImage(
  file: File,
  { storage, origins, achieved, signal, onProgress }: UploadImageOptions,
): Promise<UploadedImage> {
  const fingerprint = [file.name, file.type, file.size, file.lastModified].join(' ');
  const earlier = achieved.read().image;
  if (earlier?.fingerprint === fingerprint) return earlier;
  await abandonImage(achieved, storage);
  const sending = abortableWhileSending(signal);
  const answer = await storage.upload(file, `posts/${Date.now()}.${extensionOf(file)}`, {
    upsert: true,
    signal: sending.signal,
    onProgress(fraction) {
      if (fraction === 1) sending.allSent();
      onProgress(fraction);
    },
  });
  const { path, width, height, placeholder } = answer;
  const isImage = answer.contentType.startsWith('image/');
  if (signal.aborted || !isImage) {
    await remove(path, storage);
    signal.throwIfAborted();
    throw new NotAnImageError();
  }
  const image = {
    fingerprint,
    path,
    url: withoutOwnOrigin(answer.publicUrl, origins),
    width,
    height,
    placeholder,
  };
  achieved.write({ ...achieved.read(), image });
  return image;
}

/**
 * Removes an image that was uploaded for a post that was never sent. One that was sent may have been created, even if
 * its answer was lost: it keeps its image.
 */
export async function abandonImage(
  achieved: AchievedStore,
  storage: FabricaClient['storage'],
): Promise<void> {
  const { image, ...rest } = achieved.read();
  if (!image?.path || rest.postId) return;
  // Forgotten first: another try must not name what is about to go.
  achieved.write(rest);
  await remove(image.path, storage);
}

/** What cannot be removed now is one of the files that no row names, which the operator's sweep finds. */
async function remove(path: string, storage: FabricaClient['storage']): Promise<void> {
  await storage.remove(path).catch(() => undefined);
}

/** Aborts with the given signal until all is sent: from then on only the answer says what there is to remove. */
function abortableWhileSending(given: AbortSignal): { signal: AbortSignal; allSent(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(given.reason);
  given.addEventListener('abort', abort, { once: true });
  if (given.aborted) abort();
  return { signal: controller.signal, allSent: () => given.removeEventListener('abort', abort) };
}

function withoutOwnOrigin(address: string, origins: readonly string[]): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname, search } = new URL(address);
  return origins.includes(origin) ? `${pathname}${search}` : address;
}
