import type { FabricaClient } from '@fabrica/client';
import { checkImage, extensionOf } from '../images/image-file.ts';
import type { Messages } from '../language/load-messages.ts';
import { withoutOwnOrigin } from '../publish/publishing/upload-image.ts';
import type { StoredPicture } from './plugins/pictures.ts';

/** Why a picture is not taken, in the words of the page. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

export interface UploadPictureOptions {
  storage: FabricaClient['storage'];
  /** The site's own origins: a picture's URL is stored without them. */
  origins: readonly string[];
  words: Messages['publish']['image'];
}

/** Uploads a picture of a text. Throws a `PictureError` for a file that is none, and the errors of the client. */
export async function uploadPicture(
  file: File,
  { storage, origins, words }: UploadPictureOptions,
): Promise<StoredPicture> {
  const problem = await checkImage(file);
  if (problem === 'not-an-image') throw new PictureError(words.notAnImage);
  if (problem === 'too-large') throw new PictureError(words.tooLarge(file.size));
  if (problem === 'unreadable') throw new PictureError(words.unreadable);
  const { publicUrl, width, height } = await storage.upload(file, `posts/${fileName()}.${extensionOf(file)}`);
  return { url: withoutOwnOrigin(publicUrl, origins), width, height };
}

/** Several pictures may be dropped in the same millisecond. */
function fileName(): string {
  return `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`;
}
