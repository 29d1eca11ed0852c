import { isWide } from './decode-text.ts';
import type { DocumentKind } from './document.ts';

/** PDF readers look for the signature within so many bytes. */
const PDF_SIGNATURE_WITHIN = 1_024;
const SAMPLE_BYTES = 4_096;
/** A text with more than one zero byte in so many is not a text, even if it is declared as one. */
const MIN_BYTES_PER_NUL = 50;

const HTML_START =
  /^\W{0,3}\s*(?:<\?xml[^>]{0,500}>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/**
 * Returns the kind of a document by its first bytes, or `undefined` for any other. The content type only tells HTML from
 * text.
 */
export function documentKind(bytes: Uint8Array, contentType: string | undefined): DocumentKind | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SAMPLE_BYTES));
  if (start.subarray(0, PDF_SIGNATURE_WITHIN).includes('%PDF-')) return 'pdf';
  if (start.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return 'docx';
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const wide = isWide(bytes, contentType);
  if (!wide && start.includes(0)) {
    const zeros = start.filter((byte) => byte === 0).length;
    if (!type.startsWith('text/') || zeros * MIN_BYTES_PER_NUL > start.length) return undefined;
  }
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(type)) return 'html';
  if (HTML_START.test(start.toString('latin1').replaceAll('\u0000', ''))) return 'html';
  return /^(?:image|audio|video|font)\//.test(type) ? undefined : 'text';
}
