import { AppError } from '../../../core/errors.ts';
import type { GuardedFetcher } from '../../../fetcher/index.ts';
import { sniffBytes } from '../../storage/index.ts';
import { imageSize } from './image-size.ts';

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Bytes of all images of a call together. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_PIXELS = 100_000_000;
const CONCURRENCY = 4;
/** Types that models may change (docs/spec/product.md, section 5). */
const ACCEPTED_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export interface FetchedImage {
  mediaType: string;
  bytes: Uint8Array;
}

interface FetchOptions {
  fetcher: GuardedFetcher;
  signal: AbortSignal;
  /** The account whose look-ups the images' hosts are counted among. */
  account: string | undefined;
}

/**
 * Fetches the images of these URLs, in their order. Throws what the fetcher throws, VALIDATION_FAILED for a URL without
 * an image, and PAYLOAD_TOO_LARGE. The message names the host.
 */
export async function fetchImages(
  urls: readonly string[],
  { fetcher, signal, account }: FetchOptions,
): Promise<FetchedImage[]> {
  const images: FetchedImage[] = [];
  const failed = new AbortController();
  const signals = AbortSignal.any([signal, failed.signal]);
  const waiting = urls.entries();
  let total = 0;
  const worker = async () => {
    for (const [index, url] of waiting) {
      signals.throwIfAborted();
      const image = await fetchImage(url, { fetcher, signal: signals, account });
      total += image.bytes.byteLength;
      if (total > MAX_BYTES) throw tooLarge('The images are larger than 50 MB together.');
      images[index] = image;
    }
  };
  const workers = Array.from({ length: CONCURRENCY }, worker);
  // The first failure is thrown, and it aborts the other downloads.
  for (const work of workers) work.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(workers);
  signals.throwIfAborted();
  return images;
}

async function fetchImage(url: string, { fetcher, signal, account }: FetchOptions): Promise<FetchedImage> {
  const { status, body } = await fetcher.fetch(url, {
    signal,
    account,
    maxBytes: MAX_IMAGE_BYTES,
    headers: { accept: 'image/*' },
    onHop: ({ protocol }) => {
      if (protocol !== 'https:')
        throw new AppError('ADDRESS_REFUSED', 'An image’s address leads away from HTTPS.');
    },
  });
  const host = new URL(url).host;
  if (status < 200 || status > 299) {
    throw invalid(`There is no image at the address on ${host}: it answers ${status}.`);
  }
  const { contentType } = await sniffBytes(body);
  if (!ACCEPTED_TYPES.includes(contentType)) {
    throw invalid(`What is at the address on ${host} is no image: JPEG, PNG, GIF and WebP are.`);
  }
  const [width, height] = imageSize(body) ?? [0, 0];
  if (width === 0 || height === 0) throw invalid(`The image on ${host} is damaged.`);
  if (width * height > MAX_PIXELS) throw tooLarge('An image is too large: 100 megapixels at most.');
  return { mediaType: contentType, bytes: body };
}

function invalid(message: string): AppError {
  return new AppError('VALIDATION_FAILED', message);
}

function tooLarge(message: string): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', message);
}
