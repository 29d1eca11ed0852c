import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

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

/** Compresses JSON answers, in the thread pool. */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next();
  const encoding = preferredEncoding(c.req.header('accept-encoding'));
  if (!encoding || !c.res.body || !c.res.headers.get('content-type')?.startsWith('application/json')) return;
  const plain = Buffer.from(await c.res.arrayBuffer());
  const headers = new Headers(c.res.headers);
  headers.append('vary', 'Accept-Encoding');
  const small = plain.byteLength < SMALLEST;
  const body = small ? plain : await compress(plain, encoding);
  if (!small) headers.set('content-encoding', encoding);
  headers.set('content-length', String(body.byteLength));
  c.res = new Response(new Uint8Array(body), { status: c.res.status, headers });
};
