import { checkImage, type ImageProblem } from '../../publish/check-image.ts';

/** Bytes of a photo at most: it is shown small. */
export const MAX_PHOTO_BYTES = 5 * 1024 * 1024;

/** Looks at a chosen file before anything is sent; null when it can be somebody's photo. */
export async function checkPhoto(file: Blob): Promise<ImageProblem | null> {
  const problem = await checkImage(file);
  return problem === null && file.size > MAX_PHOTO_BYTES ? 'too-large' : problem;
}
