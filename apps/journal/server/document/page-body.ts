import { createHash } from 'node:crypto';
import type { SharedPart } from './brotli-parts.ts';

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

/** Tells whether a body is a document with the style sheet. */
export function isStyled(body: PageBody): body is StyledBody {
  return typeof body === 'object' && 'styles' in body;
}
