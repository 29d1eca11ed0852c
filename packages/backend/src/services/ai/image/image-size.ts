/** Returns the width and height in the header of a PNG, GIF, WebP or JPEG, or `undefined`. */
export function imageSize(image: Uint8Array): [width: number, height: number] | undefined {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  try {
    if (bytes.readUInt32BE(0) === 0x89504e47) return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    if (bytes.toString('latin1', 0, 3) === 'GIF') return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
    if (bytes.toString('latin1', 8, 12) === 'WEBP') return webpSize(bytes);
    return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined;
  } catch (error) {
    // The image ends before its size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Reads the three kinds of WebP: lossy, lossless and extended (developers.google.com/speed/webp, RIFF container). */
function webpSize(bytes: Buffer): [number, number] | undefined {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind !== 'VP8L') return undefined;
  const sides = bytes.readUInt32LE(21);
  return [(sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1];
}

/** Reads the frame header, which follows any number of other segments (ITU T.81, annex B). */
function jpegSize(bytes: Buffer): [number, number] | undefined {
  for (let at = 2; bytes.readUInt8(at) === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    // Any number of FF may fill the space before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
