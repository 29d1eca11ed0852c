import { createHash } from 'node:crypto';
import { compress, type Encoding } from '@fabrica/backend';
import { compressAround, type SharedPart } from './brotli-parts.ts';

/** The HTML of a page around the style sheet, which is the same in all pages. */
export interface StyledBody {
  before: Buffer;
  styles: SharedPart;
  after: Buffer;
}

/** The body of a page: a document, or the router's data of one. */
export type PageBody = string | Uint8Array<ArrayBuffer> | StyledBody;

/** Returns the length of what only this page has, in bytes or, of text, in characters. */
export function ownLength(body: PageBody): number {
  return isStyled(body) ? body.before.length + body.after.length : body.length;
}

/** Returns a hash of a body. */
export function fingerprint(body: PageBody): string {
  const parts = isStyled(body) ? [body.before, body.styles.fingerprint, body.after] : [body];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 22);
}

/** Returns the body without compression. */
export function plainBody(body: PageBody): Buffer<ArrayBuffer> {
  if (isStyled(body)) return Buffer.concat([body.before, body.styles.plain, body.after]);
  return typeof body === 'string'
    ? Buffer.from(body)
    : Buffer.from(body.buffer, body.byteOffset, body.length);
}

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

function isStyled(body: PageBody): body is StyledBody {
  return typeof body === 'object' && 'styles' in body;
}
