import type { LanguageModelV4, LanguageModelV4FilePart } from '@ai-sdk/provider';
import type { GuardedFetcher } from '../../../fetcher/index.ts';
import { fetchImages } from '../image/fetch-images.ts';

interface ImagePartOptions {
  model: LanguageModelV4;
  /** Whether the model may receive URLs and fetch them itself. */
  byUrl: boolean;
  fetcher: GuardedFetcher;
  signal: AbortSignal;
  /** The account whose look-ups the images' hosts are counted among. */
  account: string | undefined;
}

/**
 * Returns the images of these URLs as parts of a message. A model that fetches images itself receives the URL; any other
 * receives the bytes, which the guarded fetcher gets. An endpoint on a private network is one of the others, because a
 * caller must not have it look around there. Throws what `fetchImages` throws.
 */
export async function toImageParts(
  urls: readonly string[],
  { model, byUrl, fetcher, signal, account }: ImagePartOptions,
): Promise<Map<string, LanguageModelV4FilePart>> {
  const parts = new Map<string, LanguageModelV4FilePart>();
  if (urls.length === 0) return parts;
  const supported = byUrl ? await model.supportedUrls : {};
  for (const url of urls.filter((one) => isSupported(supported, one))) {
    parts.set(url, {
      type: 'file',
      mediaType: 'image/*',
      data: { type: 'url', url: new URL(url) },
    });
  }
  const remaining = [...new Set(urls)].filter((url) => !parts.has(url));
  const images = await fetchImages(remaining, { fetcher, signal, account });
  for (const [index, { mediaType, bytes }] of images.entries()) {
    parts.set(remaining[index] ?? '', { type: 'file', mediaType, data: { type: 'data', data: bytes } });
  }
  return parts;
}

/** Returns whether the model fetches images from this URL itself. */
function isSupported(supported: Record<string, RegExp[]>, url: string): boolean {
  return Object.entries(supported).some(
    ([type, patterns]) =>
      ['*', '*/*', 'image/*'].includes(type) && patterns.some((pattern) => pattern.test(url)),
  );
}
