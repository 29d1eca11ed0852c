import { AppError } from '../../../core/errors.ts';
import type { GuardedFetcher } from '../../../fetcher/index.ts';

/** Bytes of one answer of a model at most; streams of events are cut by their readers. */
const MAX_ANSWER_BYTES = 50 * 1024 * 1024;
/** Milliseconds for a picture or recording that a provider answers the address of. */
const DOWNLOAD_MS = 60_000;

export interface ProviderFetchOptions {
  fetcher: GuardedFetcher;
  /** Of the configured endpoint, which is where the operator says, private or not. */
  baseUrl: string | undefined;
}

/**
 * What the AI SDK reaches the provider with. Calls go out as they are. What a provider answers the address of is fetched
 * from the provider itself or, anywhere else, by the guarded fetcher. No answer is taken past 50 MB.
 */
export function createProviderFetch({ fetcher, baseUrl }: ProviderFetchOptions): typeof fetch {
  const own = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isDownload = !(input instanceof Request) && (init?.method ?? 'GET') === 'GET';
    if (!isDownload || url.origin === own) return bounded(await fetch(input, init));
    const { status, headers, body } = await fetcher
      .fetch(url, {
        headers: Object.fromEntries(new Headers(init?.headers)),
        maxBytes: MAX_ANSWER_BYTES,
        timeout: DOWNLOAD_MS,
        ...(init?.signal && { signal: init.signal }),
      })
      .catch((error: unknown) => {
        // The address is the provider's, not the caller's: to that one, the model has failed.
        const code = error instanceof AppError ? error.code : 'unknown';
        throw Object.assign(new Error('The provider’s address was not fetched.'), {
          name: `Download (${code})`,
        });
      });
    const type = headers['content-type'];
    return new Response(new Uint8Array(body), { status, headers: type ? { 'content-type': type } : {} });
  };
}

/** The SDK reads such an answer whole; counted here by hand, it costs less than in one more stream. */
async function bounded(answer: Response): Promise<Response> {
  const { body, headers, status, statusText } = answer;
  if (!body || headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) {
      throw new AppError('AI_FAILED', 'The model’s answer is larger than 50 MB.');
    }
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks, size), { headers, status, statusText });
}
