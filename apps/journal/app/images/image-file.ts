import { MAX_UPLOAD_BYTES } from '@fabrica/contract';

/** Names the reason why a chosen file cannot be used as an image. */
export type ImageProblem = 'not-an-image' | 'too-large' | 'unreadable';

/** Lists the image types that browsers show and that the storage accepts. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;

/** Checks a chosen file before it is uploaded. Returns `null` when it can be used. */
export async function checkImage(file: Blob): Promise<ImageProblem | null> {
  if (!(IMAGE_TYPES as readonly string[]).includes(file.type)) return 'not-an-image';
  if (file.size > MAX_UPLOAD_BYTES) return 'too-large';
  try {
    (await createImageBitmap(file)).close();
    return null;
  } catch {
    return 'unreadable';
  }
}

/** Returns the file's own extension if it looks like one, and otherwise the subtype of its media type. */
export function extensionOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const own = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  const fromType = /^image\/([a-z0-9]{1,5})\b/.exec(type)?.[1];
  return (own ?? fromType ?? 'img').toLowerCase();
}
