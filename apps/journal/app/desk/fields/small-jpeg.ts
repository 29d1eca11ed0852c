/** Pixels of the longer side: what a model that sees pictures is sent of stored ones, too. */
const MAX_SIDE = 960;
const QUALITY = 0.85;

/** A picture that this browser does not show, such as a HEIC in most of them. */
export class UnshownPictureError extends Error {
  override readonly name = 'UnshownPictureError';
}

/** Returns a small JPEG of a picture, in base64. Nothing that is said in the file is in it. Throws an `UnshownPictureError`. */
export async function smallJpeg(file: File): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new UnshownPictureError();
  });
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new UnshownPictureError();
  // JPEG knows no transparency: what is transparent lies on white, as on most pages.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const [, base64 = ''] = canvas.toDataURL('image/jpeg', QUALITY).split(',');
  return base64;
}
