import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const RGB_8_BIT = Buffer.from([8, 2, 0, 0, 0]);

/** Returns a PNG of random pixels, which does not compress: about `3 * width * height` bytes. */
export function noisePng(width: number, height: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const rows = Array.from({ length: height }, () => [Buffer.from([0]), randomBytes(width * 3)]).flat();
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([size, RGB_8_BIT])),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
