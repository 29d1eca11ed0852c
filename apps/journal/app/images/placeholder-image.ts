import { thumbHashToRGBA } from 'thumbhash';

const HEADER_BYTES = 54;
/** An image whose average lightness is above this, from 0 to 1, is bright. */
const BRIGHT = 0.85;

/**
 * Returns a thumbhash (base64) as the data URL of a small image whose longer side has `longerSide` pixels. 14 pixels
 * take about 800 characters, and browsers smooth them well up to the width of a column. Returns `null` for text that is
 * no thumbhash, and for images with transparent parts, because their placeholder would show through.
 */
export function placeholderImage(thumbhash: string | null, longerSide: number): string | null {
  const hash = thumbhash === null ? null : decodeBase64(thumbhash);
  if (!hash || hash.length < 5 || hasAlpha(hash)) return null;
  const { w, h, rgba } = thumbHashToRGBA(hash);
  if (w < 1 || h < 1) return null;
  const scale = longerSide / Math.max(w, h);
  const [width, height] = [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))];
  const bitmap = encodeBitmap(width, height, (x, y) => {
    const column = Math.floor(((x + 0.5) * w) / width);
    const row = Math.floor(((y + 0.5) * h) / height);
    const offset = (row * w + column) * 4;
    return [rgba[offset] ?? 0, rgba[offset + 1] ?? 0, rgba[offset + 2] ?? 0];
  });
  return `data:image/bmp;base64,${btoa(String.fromCharCode(...bitmap))}`;
}

/**
 * Returns whether a thumbhash (base64) is of an opaque image that is nearly white, and so would glare on a dark page.
 * Its first six bits are the average lightness.
 */
export function isBright(thumbhash: string | null): boolean {
  const hash = thumbhash === null ? null : decodeBase64(thumbhash);
  return hash !== null && hash.length >= 5 && !hasAlpha(hash) && ((hash[0] ?? 0) & 63) / 63 > BRIGHT;
}

function decodeBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Reads the flag for transparency: the top bit of a thumbhash's first three bytes. */
function hasAlpha(hash: Uint8Array): boolean {
  return ((hash[2] ?? 0) & 0x80) !== 0;
}

type Rgb = [red: number, green: number, blue: number];

/** Writes a BMP of 24 bits a pixel, which needs no compression for so few pixels. */
function encodeBitmap(width: number, height: number, colour: (x: number, y: number) => Rgb): Uint8Array {
  // Rows are padded to 4 bytes and stored from the bottom up.
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const bytes = new Uint8Array(HEADER_BYTES + rowBytes * height);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, HEADER_BYTES, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = colour(x, y);
      bytes.set([blue, green, red], HEADER_BYTES + (height - 1 - y) * rowBytes + x * 3);
    }
  }
  return bytes;
}
