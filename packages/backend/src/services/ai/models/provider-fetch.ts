import { AppError } from '../../../core/errors.ts';
import type { GuardedFetcher } from '../../../fetcher/index.ts';
import { traced } from '../../../runtime/traced.ts';
import type { ProviderHealth } from './provider-health.ts';

/** Bytes of one response of a model at most. Readers of event streams apply their own limit. */
const MAX_RESPONSE_BYTES = 50 * 1024 * 1024;
/** Milliseconds to download an image or recording whose URL a provider returns. */
const DOWNLOAD_MS = 60_000;

interface ProviderFetchOptions {
  fetcher: GuardedFetcher;
  /** URL of the configured endpoint. The operator chose it, so it may be private. */
  baseUrl: string | undefined;
  health: ProviderHealth;
}

/**
 * Returns the `fetch` through which the AI SDK reaches the provider. Calls go out as they are. A URL that a provider
 * returns is fetched from the provider itself or, anywhere else, by the guarded fetcher. No response may be larger than
 * 50 MB.
 */
export function createProviderFetch({ fetcher, baseUrl, health }: ProviderFetchOptions): typeof fetch {
  const providerOrigin = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isDownload = !(input instanceof Request) && (init?.method ?? 'GET') === 'GET';
    if (!isDownload || url.origin === providerOrigin)
      return traced('model', 'call', async () =>
        readBounded(await health.watch(() => fetch(input, init), init?.signal)),
      );
    const { status, headers, body } = await fetcher
      .fetch(url, {
        headers: Object.fromEntries(new Headers(init?.headers)),
        maxBytes: MAX_RESPONSE_BYTES,
        timeout: DOWNLOAD_MS,
        ...(init?.signal && { signal: init.signal }),
      })
      .catch((error: unknown) => {
        // The URL came from the provider and not from the caller, so to the caller the model has failed.
        const code = error instanceof AppError ? error.code : 'unknown';
        throw Object.assign(new Error('The provider’s address was not fetched.'), {
          name: `Download (${code})`,
        });
      });
    const type = headers['content-type'];
    return new Response(new Uint8Array(body), { status, headers: type ? { 'content-type': type } : {} });
  };
}

/** Counts the bytes of a response that the SDK would read whole. This costs less than one more stream. */
async function readBounded(response: Response): Promise<Response> {
  const { body, headers, status, statusText } = response;
  if (!body || headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES) {
      throw new AppError('AI_FAILED', 'The model’s answer is larger than 50 MB.');
    }
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks, size), { headers, status, statusText });
}
