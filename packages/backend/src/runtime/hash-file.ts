import { createHash, webcrypto } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Files up to this size are read whole and hashed in a thread. Eight at a time are in memory. */
const MAX_WHOLE_BYTES = 16 * 1024 ** 2;

/** Returns the SHA-256 of a file in hexadecimal, or `null` when there is no file. */
export async function hashFile(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size <= MAX_WHOLE_BYTES) {
      const digest = await webcrypto.subtle.digest('SHA-256', await readFile(path));
      return Buffer.from(digest).toString('hex');
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(path, { highWaterMark: 1024 ** 2 }), hash);
    return hash.digest('hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
