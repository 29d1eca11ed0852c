import { ServiceError } from '../http/errors.ts';

/** A picture of more points than this could fill the memory of a small machine. */
const MAX_PIXELS = 100_000_000;
const MAX_DECODE_SECONDS = 15;

export type ImageCheck = (localPath: string) => Promise<void>;

/**
 * Makes the check that decodes an image in full, cheaply: FILE_UNREADABLE when it is broken, cut off or
 * enormous. One at a time, for a picture can take half a gigabyte where its file took little.
 */
export function createImageCheck(): ImageCheck {
  let last: Promise<unknown> = Promise.resolve();
  return (localPath) => {
    const checked = last.then(() => decode(localPath));
    last = checked.catch(() => undefined);
    return checked;
  };
}

async function decode(localPath: string): Promise<void> {
  const sharp = await loadSharp();
  try {
    await sharp(localPath, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
      .timeout({ seconds: MAX_DECODE_SECONDS })
      .resize(32, 32, { fit: 'inside', kernel: 'nearest' })
      .raw()
      .toBuffer();
  } catch (cause) {
    throw new ServiceError('FILE_UNREADABLE', describeFault(cause), { cause });
  }
}

async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // Nothing is decoded twice, and the other cores are for those who read.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

function describeFault(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : '';
  if (/pixel limit/i.test(reason)) {
    return `This image is too large: ${MAX_PIXELS / 1_000_000} megapixels at most.`;
  }
  if (/timeout/i.test(reason)) return 'This image takes too long to read. Please save it anew.';
  return 'This image cannot be read: the file is damaged or incomplete.';
}
