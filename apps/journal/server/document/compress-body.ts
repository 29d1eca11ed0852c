import { compress, type Encoding } from '@fabrica/backend';
import { compressParts, joinParts } from './brotli-parts.ts';
import { isCompressed, isStyled, type PageBody, plainBody } from './page-body.ts';

/** Compresses the body quickly: a document at once, in a tenth of the time that all of it would take. */
export async function compressBody(body: PageBody, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'br' && isCompressed(body)) return joinParts(body, body.styles);
  if (encoding === 'br' && isStyled(body)) {
    return joinParts(compressParts(body.before, body.after), body.styles);
  }
  return compress(await plainBody(body), encoding, QUICK_QUALITY);
}

/** Compresses all of the body as well as can be done for many readers. */
export async function compressWell(body: PageBody): Promise<Buffer<ArrayBuffer>> {
  return compress(await plainBody(body), 'br', GOOD_QUALITY);
}

/** Levels of brotli, for a body that one reader may have alone, and for one that several ask for. */
const QUICK_QUALITY = 3;
const GOOD_QUALITY = 6;
