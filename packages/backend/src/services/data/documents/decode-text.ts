const META_CHARSET = /<meta[^>]{1,500}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;
/** Bytes at the beginning that are examined. */
const SAMPLE_BYTES = 4_096;

/**
 * Decodes a text. Its encoding comes from the byte order mark, the content type, the HTML page itself, or the pattern of
 * UTF-16; otherwise it is UTF-8, or windows-1252 for bytes that are not UTF-8.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const found =
    byteOrderMarkOf(bytes) ?? charsetOf(contentType) ?? metaCharsetOf(bytes) ?? wideEncodingOf(bytes);
  return decodeAs(bytes, found);
}

/** Decodes a text that may be of any kind: by its byte order mark or its content type alone, or as UTF-8 or windows-1252. */
export function decodeDeclared(bytes: Uint8Array, contentType: string | undefined): string {
  return decodeAs(bytes, byteOrderMarkOf(bytes) ?? charsetOf(contentType));
}

function decodeAs(bytes: Uint8Array, label: string | undefined): string {
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Returns whether a text is UTF-16: by its byte order mark, its content type, or because every other byte is 0 as in
 * Latin letters.
 */
export function isWide(bytes: Uint8Array, contentType: string | undefined): boolean {
  const label = byteOrderMarkOf(bytes) ?? charsetOf(contentType) ?? wideEncodingOf(bytes);
  return /^utf-?16/i.test(label ?? '');
}

function charsetOf(contentType: string | undefined): string | undefined {
  return /charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(contentType ?? '')?.[1];
}

function metaCharsetOf(bytes: Uint8Array): string | undefined {
  const label = META_CHARSET.exec(Buffer.from(bytes.subarray(0, SAMPLE_BYTES)).toString('latin1'))?.[1];
  // A page whose bytes read as ASCII is not UTF-16, whatever it claims.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function byteOrderMarkOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

function wideEncodingOf(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const most = start.length / 2;
  const [even = 0, odd = 0] = zeros;
  if (start.length < 4 || Math.max(even, odd) < most * 0.7 || Math.min(even, odd) > most * 0.05) {
    return undefined;
  }
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
