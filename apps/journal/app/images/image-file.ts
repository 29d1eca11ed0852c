import { MAX_UPLOAD_BYTES } from '@fabrica/contract';

/** Why a chosen file cannot be a post's image. */
export type ImageProblem = 'not-an-image' | 'too-large' | 'unreadable';

/** Kinds of pictures that browsers show and our storage takes. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;

/** Looks at a chosen file before anything is sent; null when it can be published. */
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
