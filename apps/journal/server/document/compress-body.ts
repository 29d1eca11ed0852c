import { compress, type Encoding } from '@fabrica/backend';
import { compressAround } from './brotli-parts.ts';
import { isStyled, type PageBody, plainBody } from './page-body.ts';

/** Compresses the body at once, in a tenth of the time that all of it would take, where it is a document. */
export function compressBody(
  body: PageBody,
  encoding: Encoding,
): Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'br' && isStyled(body)) return compressAround(body.before, body.styles, body.after);
  return compress(plainBody(body), encoding, QUICK_QUALITY);
}

/** Compresses all of the body as well as can be done for many readers. */
export function compressWell(body: PageBody): Promise<Buffer<ArrayBuffer>> {
  return compress(plainBody(body), 'br', GOOD_QUALITY);
}

/** Of brotli, for a body that one reader may have alone, and for one that several ask for. */
const QUICK_QUALITY = 3;
const GOOD_QUALITY = 6;
