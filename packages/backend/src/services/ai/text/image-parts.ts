import type { LanguageModelV4, LanguageModelV4FilePart } from '@ai-sdk/provider';
import type { GuardedFetcher } from '../../../fetcher/index.ts';
import { fetchImages } from '../image/fetch-images.ts';

export interface ImagePartOptions {
  model: LanguageModelV4;
  /** May the model be handed an address to fetch by itself? */
  byAddress: boolean;
  fetcher: GuardedFetcher;
  signal: AbortSignal;
}

/**
 * Makes of pictures' addresses what the model can look at. A model that fetches pictures by itself gets their addresses;
 * any other gets the bytes, which only the guarded fetcher may get. An endpoint on our own net is one of the others: who
 * asks it may not have it look around there. Throws what `fetchImages` throws.
 */
export async function toImageParts(
  addresses: readonly string[],
  { model, byAddress, fetcher, signal }: ImagePartOptions,
): Promise<Map<string, LanguageModelV4FilePart>> {
  const shown = new Map<string, LanguageModelV4FilePart>();
  if (addresses.length === 0) return shown;
  const supported = byAddress ? await model.supportedUrls : {};
  for (const address of addresses.filter((one) => isTaken(supported, one))) {
    shown.set(address, {
      type: 'file',
      mediaType: 'image/*',
      data: { type: 'url', url: new URL(address) },
    });
  }
  const others = [...new Set(addresses)].filter((address) => !shown.has(address));
  const pictures = await fetchImages(others, { fetcher, signal });
  for (const [index, { mediaType, bytes }] of pictures.entries()) {
    shown.set(others[index] ?? '', { type: 'file', mediaType, data: { type: 'data', data: bytes } });
  }
  return shown;
}

/** Does the model fetch pictures from this address by itself? */
function isTaken(supported: Record<string, RegExp[]>, address: string): boolean {
  return Object.entries(supported).some(
    ([type, patterns]) =>
      ['*', '*/*', 'image/*'].includes(type) && patterns.some((pattern) => pattern.test(address)),
  );
}
