import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { joinParts, type OwnParts, type SharedPart } from './brotli-parts.ts';

/** The HTML of a page around the style sheet, which is the same in all pages. */
export interface StyledBody {
  before: Buffer;
  styles: SharedPart;
  after: Buffer;
}

/** The same, as brotli compresses it quickly: a fourth of the bytes, and what the first reader probably wants. */
export interface CompressedBody extends OwnParts {
  styles: SharedPart;
  /** Bytes of the text. */
  fingerprint: string;
}

/** The body of a page: a document, or the router's data of one. */
export type PageBody = string | Uint8Array<ArrayBuffer> | StyledBody | CompressedBody;

const decompress = promisify(brotliDecompress);

/** Returns the length of what only this page has, in the form that it is kept in: in bytes or, of text, in characters. */
export function ownLength(body: PageBody): number {
  if (isCompressed(body)) return body.first.length + body.last.length;
  return isStyled(body) ? body.before.length + body.after.length : body.length;
}

/** Returns a hash of a body's text. */
export function fingerprint(body: PageBody): string {
  if (isCompressed(body)) return body.fingerprint;
  const parts = isStyled(body) ? [body.before, body.styles.fingerprint, body.after] : [body];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 22);
}

/** Returns the body without compression. */
export async function plainBody(body: PageBody): Promise<Buffer<ArrayBuffer>> {
  if (isCompressed(body)) return await decompress(joinParts(body, body.styles));
  if (isStyled(body)) return Buffer.concat([body.before, body.styles.plain, body.after]);
  return typeof body === 'string'
    ? Buffer.from(body)
    : Buffer.from(body.buffer, body.byteOffset, body.length);
}

/** Tells whether a body is a document with the style sheet. */
export function isStyled(body: PageBody): body is StyledBody {
  return typeof body === 'object' && 'before' in body;
}

/** Tells whether a body is such a document, compressed. */
export function isCompressed(body: PageBody): body is CompressedBody {
  return typeof body === 'object' && 'first' in body;
}
