import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '../core/errors.ts';
import { Lazy } from '../runtime/lazy.ts';
import type { Gate } from './gate.ts';
import type { GuardedAgent } from './guarded-agent.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 10_000;

export interface GuardedRequest {
  /** Method; GET by default. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Aborted when the response is no longer needed. */
  signal?: AbortSignal;
  /** The account whose look-ups of names the request's are counted among; the service role's are without one. */
  account?: string | undefined;
  /** Bytes of the decompressed body at most; 10 MB. */
  maxBytes?: number;
  /** Milliseconds for everything, redirects and body included; 10 s. */
  timeout?: number;
  /** Redirects at most; 5. */
  maxRedirects?: number;
  /** Called before each request of a chain of redirects. It throws to refuse one. */
  onHop?(url: URL): void;
}

export interface GuardedResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** URL after redirects. */
  url: string;
  /** Decompressed body. */
  body: Uint8Array;
}

/** Fetches what callers name, from the public internet alone. */
export interface GuardedFetcher {
  /**
   * Fetches a URL. Throws INVALID_URL for one without http(s) or with credentials, ADDRESS_REFUSED for one that is not
   * public (redirects included), FETCH_TIMEOUT, PAYLOAD_TOO_LARGE, FETCH_FAILED for any other failure, or the reason of
   * `signal`. A response of any status is returned.
   */
  fetch(url: string | URL, request?: GuardedRequest): Promise<GuardedResponse>;
  close(): Promise<void>;
}

interface GuardedFetcherOptions {
  gate: Gate;
  userAgent: string;
  /** Milliseconds for requests that name no timeout; 10 s. */
  timeout?: number;
  /**
   * Responds to a request for a file of this server, which the gate would refuse, without a connection; `undefined` for
   * any other URL.
   */
  readOwnFile?: ((url: URL, signal: AbortSignal) => Promise<Response> | undefined) | undefined;
}

export function createGuardedFetcher({
  gate,
  userAgent,
  timeout: defaultTimeout = TIMEOUT_MS,
  readOwnFile,
}: GuardedFetcherOptions): GuardedFetcher {
  /** Loaded with the first request: most servers never fetch anything. */
  const agent = new Lazy(async () => {
    const { createGuardedAgent } = await import('./guarded-agent.ts');
    return createGuardedAgent(gate);
  });
  return {
    async fetch(input, { signal, timeout = defaultTimeout, ...request } = {}) {
      const timeoutSignal = AbortSignal.timeout(timeout);
      const ended = signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal;
      try {
        const options = { ...request, userAgent, signal: ended, readOwnFile };
        // A connection is not awaited beyond the signal.
        return await unlessAborted(followRedirects(await agent.get(), parseUrl(input), options), ended);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (timeoutSignal.aborted)
          throw new AppError('FETCH_TIMEOUT', 'The address took too long to answer.');
        throw appErrorOf(error);
      }
    },
    async close() {
      await (await agent.ifLoaded())?.destroy();
    },
  };
}

/** Returns a URL that may be fetched. Throws INVALID_URL. */
function parseUrl(input: string | URL): URL {
  const url = URL.parse(input);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError('INVALID_URL', 'This is no address that begins with http:// or https://.');
  }
  if (url.username || url.password) {
    throw new AppError('INVALID_URL', 'An address may not carry a name or a password.');
  }
  return url;
}

interface RequestOptions
  extends Omit<GuardedRequest, 'signal' | 'timeout'>,
    Pick<GuardedFetcherOptions, 'readOwnFile'> {
  userAgent: string;
  signal: AbortSignal;
}

/** Returns the result of the work. Throws the signal’s reason as soon as it is aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Sends a request and follows redirects, each of which is judged like the first URL. */
async function followRedirects(
  agent: GuardedAgent,
  start: URL,
  options: RequestOptions,
): Promise<GuardedResponse> {
  const { userAgent, signal, account, maxBytes = MAX_BYTES, maxRedirects = MAX_REDIRECTS, onHop } = options;
  let { method = 'GET', body } = options;
  let headers: Record<string, string> = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  let url = start;
  for (let hops = 0; ; hops += 1) {
    onHop?.(url);
    const ownFile = method === 'GET' ? options.readOwnFile?.(url, signal) : undefined;
    if (ownFile) return presentOwnFile(await ownFile, url, maxBytes);
    const response = await agent.send(url, {
      method: method as 'GET',
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'gzip, br', ...headers },
      body: body ?? null,
      signal,
      account,
    });
    const next = redirectOf(response.statusCode, firstValue(response.headers.location), url);
    if (!next) {
      if (method !== 'HEAD' && Number(response.headers['content-length']) > maxBytes) {
        response.body.on('error', () => undefined).destroy();
        throw tooLarge(maxBytes);
      }
      const isEmpty = method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304;
      const encoding = isEmpty ? undefined : firstValue(response.headers['content-encoding']);
      const decompressed = decompress(response.body, encoding);
      return {
        status: response.statusCode,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, joinedValues(value)]),
        ),
        url: url.href,
        body: await readWithin(decompressed, maxBytes),
      };
    }
    response.body.on('error', () => undefined).destroy();
    if (hops >= maxRedirects) {
      throw new AppError('FETCH_FAILED', `The address leads on more than ${maxRedirects} times.`);
    }
    if (response.statusCode === 303 || (response.statusCode < 303 && method === 'POST')) {
      if (method !== 'HEAD') method = 'GET';
      body = undefined;
      headers = without(headers, /^content-/);
    }
    // Credentials of one origin are not sent to another.
    if (next.origin !== url.origin)
      headers = without(headers, /^(authorization|cookie|proxy-authorization|x-api-key)$/);
    url = next;
  }
}

async function presentOwnFile(response: Response, url: URL, maxBytes: number): Promise<GuardedResponse> {
  const body = response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    url: url.href,
    body: await readWithin(body, maxBytes),
  };
}

function redirectOf(status: number, location: string | undefined, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const next = URL.parse(readUtf8(location), from);
  if (!next) throw new AppError('FETCH_FAILED', 'The address leads on to what is none.');
  if (!next.hash) next.hash = from.hash;
  return parseUrl(next);
}

/** Returns a header as the UTF-8 that its bytes are, as browsers read it; Node reads each byte as a character. */
function readUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

function without(headers: Record<string, string>, names: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
}

const firstValue = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
const joinedValues = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value.join(', ') : (value ?? '');

function decompress(body: Readable, encoding: string | undefined): Readable {
  const decompressor = decompressorOf(encoding?.trim().toLowerCase());
  if (!decompressor) return body;
  body.on('error', (error) => decompressor.destroy(error));
  decompressor.on('close', () => body.destroy());
  return body.pipe(decompressor);
}

function decompressorOf(encoding: string | undefined) {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      return undefined;
  }
}

/** Reads a body. The decompressed bytes are counted, because a few bytes may expand to gigabytes. */
async function readWithin(body: Readable, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  body.on('error', () => undefined);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      body.destroy();
      throw tooLarge(maxBytes);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    `What is at this address is larger than ${Math.round(maxBytes / 1024 / 1024)} MB.`,
  );
}

/** Returns the AppError within an error of undici, which wraps what a connector throws. */
function appErrorOf(error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause;
  }
  return new AppError('FETCH_FAILED', 'The address could not be fetched.', { cause: error });
}
