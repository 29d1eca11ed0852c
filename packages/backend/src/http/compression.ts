import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import type { PlainResponse } from './plain-exchange.ts';

export type Encoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Below this many bytes compression costs more than it saves. */
const SMALLEST = 1_024;

/** Returns the best encoding that an Accept-Encoding header allows; undefined for none. */
export function preferredEncoding(accepted: string | undefined): Encoding | undefined {
  if (!accepted) return undefined;
  const takes = (name: Encoding) =>
    accepted.split(',').some((part) => {
      const [coding = '', quality = ''] = part.split(';');
      return coding.trim().toLowerCase() === name && !/q=0(\.0*)?\s*$/.test(quality.trim());
    });
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : undefined;
}

/** Compresses a body. `quality` is brotli's, 0 to 11: low for a response that is sent once, higher for a cached one. */
export function compress(body: Uint8Array, encoding: Encoding, quality = 4): Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'gzip') return gzipped(body);
  return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** Bytes that are compressed at once: up to here, the way to the thread pool and back takes more of the processor. */
const LARGEST_AT_ONCE = 32 * 1024;
/** A window of 64 kB, which such a body fits into: the usual one of 4 MB takes longer to set up than the body to compress. */
const SMALL_WINDOW = 16;

/** Compresses a body that is sent once. */
function compressOnce(
  body: Uint8Array,
  encoding: Encoding,
): Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>> {
  if (body.byteLength > LARGEST_AT_ONCE) return compress(body, encoding);
  if (encoding === 'gzip') return gzipSync(body, { level: constants.Z_BEST_SPEED });
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_LGWIN]: SMALL_WINDOW,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    },
  });
}

/** Media types of text that is made for one response. */
const COMPRESSIBLE = /^(?:application\/(?:[\w.-]+\+)?json|text\/csv)\b/;

/** Returns the response in the best encoding that the Accept-Encoding header allows. */
export type CompressResponse = (
  response: PlainResponse,
  accepted: string | undefined,
) => PlainResponse | Promise<PlainResponse>;

/** Returns a function that compresses only once where the same response comes again. */
export function createCompressResponse(): CompressResponse {
  const known = new WeakMap<PlainResponse, Map<Encoding, PlainResponse | Promise<PlainResponse>>>();
  return (response, accepted) => {
    const encoding = preferredEncoding(accepted);
    if (!encoding || !COMPRESSIBLE.test(response.headers['content-type'] ?? '')) return response;
    const encodings = known.get(response) ?? new Map<Encoding, PlainResponse | Promise<PlainResponse>>();
    known.set(response, encodings);
    const cached = encodings.get(encoding);
    if (cached) return cached;
    const encoded = encode(response, encoding);
    encodings.set(encoding, encoded);
    if (encoded instanceof Promise) {
      // Later callers neither wait, nor get a failure that may not happen again.
      encoded.then(
        (done) => encodings.set(encoding, done),
        () => encodings.delete(encoding),
      );
    }
    return encoded;
  };
}

function encode(response: PlainResponse, encoding: Encoding): PlainResponse | Promise<PlainResponse> {
  const { vary } = response.headers;
  const headers = { ...response.headers, vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding' };
  const plain = Buffer.from(response.body);
  if (plain.byteLength < SMALLEST) return { ...response, headers };
  const finish = (body: Buffer<ArrayBuffer>) => ({
    ...response,
    headers: { ...headers, 'content-encoding': encoding, 'content-length': String(body.byteLength) },
    body: new Uint8Array(body),
  });
  const compressed = compressOnce(plain, encoding);
  return compressed instanceof Promise ? compressed.then(finish) : finish(compressed);
}

/** Compresses the JSON and CSV of routes. */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next();
  const encoding = preferredEncoding(c.req.header('accept-encoding'));
  if (!encoding || !c.res.body || !COMPRESSIBLE.test(c.res.headers.get('content-type') ?? '')) return;
  const { status, headers: before } = c.res;
  const plain = Buffer.from(await c.res.arrayBuffer());
  const headers = new Headers(before);
  headers.append('vary', 'Accept-Encoding');
  const small = plain.byteLength < SMALLEST;
  const body = small ? plain : await compressOnce(plain, encoding);
  if (!small) headers.set('content-encoding', encoding);
  headers.set('content-length', String(body.byteLength));
  // Hono would copy the headers of the former response to its replacement.
  c.res = undefined;
  c.res = new Response(new Uint8Array(body), { status, headers });
};
