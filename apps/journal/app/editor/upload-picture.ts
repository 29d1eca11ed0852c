import type { FabricaClient } from '@fabrica/client';
import { checkImage, describeProblem, extensionOf } from '../images/image-file.ts';
import { storedUrl, UnconvertedImageError, uploadConverted } from '../images/upload-image.ts';
import type { Messages } from '../language/load-messages.ts';
import type { StoredPicture } from './plugins/pictures.ts';

/** Says why a picture is not taken, in the words of the page. */
class PictureError extends Error {
  override readonly name = 'PictureError';
}

interface UploadPictureOptions {
  storage: FabricaClient['storage'];
  words: Messages['publish']['image'];
}

/** Uploads a picture of a text. Throws a `PictureError` for a file that is none, and the errors of the client. */
export async function uploadPicture(
  file: File,
  { storage, words }: UploadPictureOptions,
): Promise<StoredPicture> {
  const problem = await checkImage(file);
  if (problem) throw new PictureError(describeProblem(problem, file, words));
  const path = `posts/${fileName()}.${extensionOf(file)}`;
  const { publicUrl, width, height } = await uploadConverted(file, path, storage).catch((error) => {
    throw error instanceof UnconvertedImageError ? new PictureError(words.unconverted) : error;
  });
  return { url: storedUrl(publicUrl), width, height };
}

/** Several pictures may be dropped in the same millisecond. */
function fileName(): string {
  return `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`;
}
