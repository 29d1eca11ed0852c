const META_CHARSET = /<meta[^>]{1,500}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;
/** Bytes at the start that tell what they are. */
const START = 4_096;

/**
 * Bytes as the text that they are: by their mark, by what they were declared as, by what an HTML page says of itself,
 * by how two bytes a character look; else UTF-8, and where it is none the encoding of old western pages.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const label = markOf(bytes) ?? charsetOf(contentType) ?? metaCharsetOf(bytes) ?? wideEncodingOf(bytes);
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** UTF-16 by its mark, by its name, or where every other byte is 0, as in texts of Latin letters. */
export function isWide(bytes: Uint8Array, contentType: string | undefined): boolean {
  const label = markOf(bytes) ?? charsetOf(contentType) ?? wideEncodingOf(bytes);
  return /^utf-?16/i.test(label ?? '');
}

function charsetOf(contentType: string | undefined): string | undefined {
  return /charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(contentType ?? '')?.[1];
}

function metaCharsetOf(bytes: Uint8Array): string | undefined {
  const label = META_CHARSET.exec(Buffer.from(bytes.subarray(0, START)).toString('latin1'))?.[1];
  // What was read byte for byte is not of two bytes a character, whatever it says.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

function wideEncodingOf(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, START);
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
