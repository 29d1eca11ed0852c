import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '../core/errors.ts';
import { Lazy } from '../runtime/lazy.ts';
import type { Gate } from './gate.ts';
import type { GuardedAgent } from './guarded-agent.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 10_000;

export interface GuardedRequest {
  /** GET, if left out. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Of the body, unpacked; 10 MB. */
  maxBytes?: number;
  /** Milliseconds for all of it, redirects and body included; 10 s. */
  timeout?: number;
  /** 5. */
  maxRedirects?: number;
  /** Is asked before each hop, and throws when this one is not to be made. */
  onHop?(url: URL): void;
}

export interface GuardedAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Where it was in the end. */
  url: string;
  /** Unpacked. */
  body: Uint8Array;
}

/** Fetches what somebody names, from the public internet alone. */
export interface GuardedFetcher {
  /**
   * Throws INVALID_URL for what is no http(s) address or carries credentials; ADDRESS_REFUSED for one that is not public
   * (each redirect's, too); FETCH_TIMEOUT; PAYLOAD_TOO_LARGE; FETCH_FAILED for everything else that goes wrong on the way;
   * the reason of `signal`. An answer of any status is one.
   */
  fetch(url: string | URL, request?: GuardedRequest): Promise<GuardedAnswer>;
  close(): Promise<void>;
}

export interface GuardedFetcherOptions {
  gate: Gate;
  userAgent: string;
  /** Of requests that name none, in milliseconds; 10 s. */
  timeout?: number;
}

export function createGuardedFetcher({
  gate,
  userAgent,
  timeout: usual = TIMEOUT_MS,
}: GuardedFetcherOptions): GuardedFetcher {
  /** Loaded with the first request: most servers never fetch anything. */
  const agent = new Lazy(async () => {
    const { createGuardedAgent } = await import('./guarded-agent.ts');
    return createGuardedAgent(gate);
  });
  return {
    async fetch(address, { signal, timeout = usual, ...request } = {}) {
      const tooLong = AbortSignal.timeout(timeout);
      const ends = signal ? AbortSignal.any([signal, tooLong]) : tooLong;
      try {
        const journey = { ...request, userAgent, signal: ends };
        // Looking a host up, and connecting to it, hear of no signal: nobody waits for them beyond it.
        return await unlessAborted(follow(await agent.get(), parseAddress(address), journey), ends);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (tooLong.aborted) throw new AppError('FETCH_TIMEOUT', 'The address took too long to answer.');
        throw serviceErrorOf(error);
      }
    },
    async close() {
      await (await agent.ifLoaded())?.destroy();
    },
  };
}

/** Throws INVALID_URL. */
function parseAddress(address: string | URL): URL {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError('INVALID_URL', 'This is no address that begins with http:// or https://.');
  }
  if (url.username || url.password) {
    throw new AppError('INVALID_URL', 'An address may not carry a name or a password.');
  }
  return url;
}

interface Journey extends Omit<GuardedRequest, 'signal' | 'timeout'> {
  userAgent: string;
  signal: AbortSignal;
}

/** Throws the signal's reason as soon as it is aborted, whatever becomes of the work. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** Redirects are followed by hand, each address being looked at like the first one. */
async function follow(agent: GuardedAgent, start: URL, journey: Journey): Promise<GuardedAnswer> {
  const { userAgent, signal, maxBytes = MAX_BYTES, maxRedirects = MAX_REDIRECTS, onHop } = journey;
  let { method = 'GET', body } = journey;
  let headers: Record<string, string> = Object.fromEntries(
    Object.entries(journey.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  let url = start;
  for (let hops = 0; ; hops += 1) {
    onHop?.(url);
    const answer = await agent.send(url, {
      method: method as 'GET',
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'gzip, br', ...headers },
      body: body ?? null,
      signal,
    });
    const next = redirectOf(answer.statusCode, single(answer.headers.location), url);
    if (!next) {
      if (method !== 'HEAD' && Number(answer.headers['content-length']) > maxBytes) {
        answer.body.on('error', () => undefined).destroy();
        throw tooLarge(maxBytes);
      }
      const isEmpty = method === 'HEAD' || answer.statusCode === 204 || answer.statusCode === 304;
      const coding = isEmpty ? undefined : single(answer.headers['content-encoding']);
      const unpacked = unpack(answer.body, coding);
      return {
        status: answer.statusCode,
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, joined(value)]),
        ),
        url: url.href,
        body: await readWithin(unpacked, maxBytes),
      };
    }
    answer.body.on('error', () => undefined).destroy();
    if (hops >= maxRedirects) {
      throw new AppError('FETCH_FAILED', `The address leads on more than ${maxRedirects} times.`);
    }
    if (answer.statusCode === 303 || (answer.statusCode < 303 && method === 'POST')) {
      if (method !== 'HEAD') method = 'GET';
      body = undefined;
      headers = without(headers, /^content-/);
    }
    // What was meant for one host is not handed to another.
    if (next.origin !== url.origin)
      headers = without(headers, /^(authorization|cookie|proxy-authorization|x-api-key)$/);
    url = next;
  }
}

function redirectOf(status: number, location: string | undefined, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const next = URL.parse(location, from);
  if (!next) throw new AppError('FETCH_FAILED', 'The address leads on to what is none.');
  if (!next.hash) next.hash = from.hash;
  return parseAddress(next);
}

function without(headers: Record<string, string>, names: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
const joined = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value.join(', ') : (value ?? '');

function unpack(body: Readable, coding: string | undefined): Readable {
  const unpacker = unpackerOf(coding?.trim().toLowerCase());
  if (!unpacker) return body;
  body.on('error', (error) => unpacker.destroy(error));
  unpacker.on('close', () => body.destroy());
  return body.pipe(unpacker);
}

function unpackerOf(coding: string | undefined) {
  switch (coding) {
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

/** Counts what comes out of the packing: a few bytes may stand for gigabytes. */
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

/** Undici wraps what a connector throws. */
function serviceErrorOf(error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause;
  }
  return new AppError('FETCH_FAILED', 'The address could not be fetched.', { cause: error });
}
