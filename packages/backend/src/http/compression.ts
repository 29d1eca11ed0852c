import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import type { PlainResponse } from './plain-exchange.ts';

export type Encoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Below this many bytes compression costs more than it saves. */
const SMALLEST = 1_024;

/** The best encoding that the reader takes, by its Accept-Encoding header. */
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

/** `quality` is brotli's, 0 to 11: low for an answer that is sent once, higher for one that is kept. */
export function compress(body: Buffer, encoding: Encoding, quality = 4): Promise<Buffer> {
  if (encoding === 'gzip') return gzipped(body);
  return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** What is text, and made for one answer. */
const COMPRESSIBLE = /^(?:application\/(?:[\w.-]+\+)?json|text\/csv)\b/;

/** The answer in the best encoding that the reader takes, by its Accept-Encoding header. */
export type CompressResponse = (
  answer: PlainResponse,
  accepted: string | undefined,
) => PlainResponse | Promise<PlainResponse>;

/** Compresses in the thread pool, and once where the same answer comes again. */
export function createCompressResponse(): CompressResponse {
  const known = new WeakMap<PlainResponse, Map<Encoding, PlainResponse | Promise<PlainResponse>>>();
  return (answer, accepted) => {
    const encoding = preferredEncoding(accepted);
    if (!encoding || !COMPRESSIBLE.test(answer.headers['content-type'] ?? '')) return answer;
    const encodings = known.get(answer) ?? new Map<Encoding, PlainResponse | Promise<PlainResponse>>();
    known.set(answer, encodings);
    const kept = encodings.get(encoding);
    if (kept) return kept;
    const encoded = encode(answer, encoding);
    encodings.set(encoding, encoded);
    if (encoded instanceof Promise) {
      // Whoever comes later need not wait, nor be told of a failure that may not come again.
      encoded.then(
        (done) => encodings.set(encoding, done),
        () => encodings.delete(encoding),
      );
    }
    return encoded;
  };
}

function encode(answer: PlainResponse, encoding: Encoding): PlainResponse | Promise<PlainResponse> {
  const headers = { ...answer.headers, vary: 'Accept-Encoding' };
  const plain = Buffer.from(answer.body);
  if (plain.byteLength < SMALLEST) return { ...answer, headers };
  return compress(plain, encoding).then((body) => ({
    ...answer,
    headers: { ...headers, 'content-encoding': encoding, 'content-length': String(body.byteLength) },
    body: new Uint8Array(body),
  }));
}

/** Does so with the answers of routes. */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next();
  const encoding = preferredEncoding(c.req.header('accept-encoding'));
  if (!encoding || !c.res.body || !COMPRESSIBLE.test(c.res.headers.get('content-type') ?? '')) return;
  const { status, headers: before } = c.res;
  const plain = Buffer.from(await c.res.arrayBuffer());
  const headers = new Headers(before);
  headers.append('vary', 'Accept-Encoding');
  const small = plain.byteLength < SMALLEST;
  const body = small ? plain : await compress(plain, encoding);
  if (!small) headers.set('content-encoding', encoding);
  headers.set('content-length', String(body.byteLength));
  // Hono sets the headers of the former answer on the one that takes its place.
  c.res = undefined;
  c.res = new Response(new Uint8Array(body), { status, headers });
};
