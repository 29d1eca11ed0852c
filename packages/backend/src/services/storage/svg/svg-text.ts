import { AppError } from '../../../core/errors.ts';

/** Matches white space, the declaration, comments and a document type before the root. */
const PROLOGUE = /^(?:\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>)*/i;

/** Returns whether a file with this beginning has `svg` as its root. */
export function looksLikeSvg(start: Uint8Array): boolean {
  const text = new TextDecoder(encodingByMark(start) ?? 'utf-8').decode(start);
  return /^<(?:[\w-]+:)?svg[\s/>]/.test(text.replace(PROLOGUE, ''));
}

/** Returns the text in the encoding of its byte order mark or its declaration. Throws FILE_UNREADABLE. */
export function decodeSvg(bytes: Uint8Array): string {
  const encoding = encodingByMark(bytes) ?? declaredEncoding(bytes) ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadableSvg('its letters are in no encoding that it names.', cause);
  }
}

/** Returns the encoding by a byte order mark, or by the zeros between the first letters (XML 1.0, appendix F). */
function encodingByMark(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  return undefined;
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1];
}

/** Returns a FILE_UNREADABLE error; `reason` ends its sentence. */
export function unreadableSvg(reason: string, cause?: unknown): AppError {
  return new AppError('FILE_UNREADABLE', `This drawing (SVG) cannot be read: ${reason}`, { cause });
}
