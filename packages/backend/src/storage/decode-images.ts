/**
 * The process that decodes images (see `check-image.ts`). Each message is the path of a file; the answer is what
 * is wrong with it, or null.
 */
import sharp from 'sharp';

const MAX_DECODE_SECONDS = 15;

// Nothing is decoded twice, and the other cores are for those who read.
sharp.cache(false);
sharp.concurrency(1);

export interface DecodeTask {
  path: string;
  /** A picture of more points is refused before it is decoded. */
  maxPixels: number;
}

process.on('message', async ({ path, maxPixels }: DecodeTask) => {
  process.send?.(await faultOf(path, maxPixels));
});

/** Decodes all of the image, cheaply: what is asked for is small. */
async function faultOf(path: string, maxPixels: number): Promise<string | null> {
  try {
    await sharp(path, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
      .timeout({ seconds: MAX_DECODE_SECONDS })
      .resize(32, 32, { fit: 'inside', kernel: 'nearest' })
      .raw()
      .toBuffer();
    return null;
  } catch (fault) {
    return fault instanceof Error ? fault.message : 'unknown';
  }
}
