import type { ByteRange } from '../blobs/blob-store.ts';

/**
 * The single range that a Range header asks for (RFC 9110, section 14.1.2), cut to `size` bytes.
 * `undefined`: send everything (no range, several, or none that can be understood); `null`: none of it exists.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size - 1 } : null;
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : null;
}
