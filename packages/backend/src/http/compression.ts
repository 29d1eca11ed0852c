import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

export type Encoding = 'br' | 'gzip';

/** A response whose body is at hand. */
export interface PlainResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Text is sent as UTF-8. */
  body: string | Uint8Array<ArrayBuffer>;
}

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
const LARGEST_AT_ONCE = 64 * 1024;
/** A window of 64 kB, which such a body fits into: the usual one of 4 MB takes longer to set up than the body to compress. */
const SMALL_WINDOW = 16;

/** Compresses a body quickly, which may be sent but once. */
export function compressOnce(
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

/** Sends a response in the best encoding that the Accept-Encoding header allows. */
export function sendCompressed(
  response: PlainResponse,
  accepted: string | undefined,
): Response | Promise<Response> {
  const { status, headers, body } = response;
  const encoding = preferredEncoding(accepted);
  if (!encoding || !COMPRESSIBLE.test(headers['content-type'] ?? '')) {
    return new Response(body, { status, headers });
  }
  const { vary } = headers;
  const varied = { ...headers, vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding' };
  const plain = Buffer.from(body);
  if (plain.byteLength < SMALLEST) return new Response(body, { status, headers: varied });
  const finish = (compressed: Buffer<ArrayBuffer>) => {
    const length = String(compressed.byteLength);
    const all = { ...varied, 'content-encoding': encoding, 'content-length': length };
    return new Response(compressed, { status, headers: all });
  };
  const compressed = compressOnce(plain, encoding);
  return compressed instanceof Promise ? compressed.then(finish) : finish(compressed);
}

/** Compresses the JSON and CSV of routes that have not done so. */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next();
  const accepted = c.req.header('accept-encoding');
  const { status, headers } = c.res;
  if (!preferredEncoding(accepted) || !COMPRESSIBLE.test(headers.get('content-type') ?? '')) return;
  if (/accept-encoding/i.test(headers.get('vary') ?? '') || !c.res.body) return;
  const body = new Uint8Array(await c.res.arrayBuffer());
  const sized = { ...Object.fromEntries(headers), 'content-length': String(body.byteLength) };
  // Hono would copy the headers of the former response to its replacement.
  c.res = undefined;
  c.res = await sendCompressed({ status, headers: sized, body }, accepted);
};
