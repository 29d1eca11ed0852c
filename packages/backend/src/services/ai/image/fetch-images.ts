import { AppError } from '../../../core/errors.ts';
import type { GuardedFetcher } from '../../../fetcher/index.ts';
import { sniffBytes } from '../../storage/index.ts';
import { imageSize } from './image-size.ts';

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Of all pictures of a call together. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_PIXELS = 100_000_000;
const AT_ONCE = 4;
/** What may be changed (docs/spec/product.md section 5); others that a browser shows may not. */
const TAKEN: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export interface Picture {
  mediaType: string;
  bytes: Uint8Array;
}

/**
 * Fetches the pictures that a caller names, in their order. Throws what the fetcher throws; VALIDATION_FAILED for what is
 * not there or is no picture; PAYLOAD_TOO_LARGE. The sentence says which one is meant.
 */
export async function fetchImages(
  addresses: readonly string[],
  { fetcher, signal }: { fetcher: GuardedFetcher; signal: AbortSignal },
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  const failed = new AbortController();
  const ends = AbortSignal.any([signal, failed.signal]);
  const waiting = addresses.entries();
  let total = 0;
  const worker = async () => {
    for (const [index, address] of waiting) {
      ends.throwIfAborted();
      const picture = await fetchImage(address, { fetcher, signal: ends });
      total += picture.bytes.byteLength;
      if (total > MAX_BYTES) throw tooLarge('The images are larger than 50 MB together.');
      pictures[index] = picture;
    }
  };
  const workers = Array.from({ length: AT_ONCE }, worker);
  // The first one that fails is the one to tell of; the others end with it.
  for (const work of workers) work.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(workers);
  ends.throwIfAborted();
  return pictures;
}

async function fetchImage(
  address: string,
  { fetcher, signal }: { fetcher: GuardedFetcher; signal: AbortSignal },
): Promise<Picture> {
  const { status, body } = await fetcher.fetch(address, {
    signal,
    maxBytes: MAX_IMAGE_BYTES,
    headers: { accept: 'image/*' },
    onHop: ({ protocol }) => {
      if (protocol !== 'https:')
        throw new AppError('ADDRESS_REFUSED', 'An image’s address leads away from HTTPS.');
    },
  });
  const where = new URL(address).host;
  if (status < 200 || status > 299) {
    throw invalid(`There is no image at the address on ${where}: it answers ${status}.`);
  }
  const { contentType } = await sniffBytes(body);
  if (!TAKEN.includes(contentType)) {
    throw invalid(`What is at the address on ${where} is no image: JPEG, PNG, GIF and WebP are.`);
  }
  const [width, height] = imageSize(body) ?? [0, 0];
  if (width === 0 || height === 0) throw invalid(`The image on ${where} is damaged.`);
  if (width * height > MAX_PIXELS) throw tooLarge('An image is too large: 100 megapixels at most.');
  return { mediaType: contentType, bytes: body };
}

function invalid(message: string): AppError {
  return new AppError('VALIDATION_FAILED', message);
}

function tooLarge(message: string): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', message);
}
