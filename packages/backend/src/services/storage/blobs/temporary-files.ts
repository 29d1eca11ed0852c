import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Age after which a file was left behind by a crash. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** A folder for files that no store has yet. */
export interface TemporaryFiles {
  /**
   * Writes a stream to a new file without holding it in memory, and hashes it on the way. When `source` or the disk
   * fails, it removes the file and throws the error on.
   */
  receive(source: AsyncIterable<Uint8Array>): Promise<TemporaryFile>;
  /** Returns a unique path for a file that is written in another way. The caller removes that file. */
  newPath(): string;
}

/** A complete file: `put` it into a store, or `discard` it. */
export interface TemporaryFile {
  /** Bytes. */
  size: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  localPath: string;
  /** Removes the file; does nothing when it is gone already. */
  discard(): Promise<void>;
}

/** Creates `folder` if it is missing, and removes what a crash left in it. */
export function createTemporaryFiles(folder: string): TemporaryFiles {
  mkdirSync(folder, { recursive: true });
  removeAbandoned(folder);
  const newPath = () => join(folder, randomUUID());
  return {
    newPath,
    async receive(source) {
      const localPath = newPath();
      const discard = () => rm(localPath, { force: true });
      try {
        return { ...(await write(localPath, source)), localPath, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },
  };
}

async function write(
  path: string,
  source: AsyncIterable<Uint8Array>,
): Promise<{ size: number; hash: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx');
  try {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.byteLength;
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { size, hash: hash.digest('hex') };
}

function removeAbandoned(folder: string): void {
  const oldest = Date.now() - ABANDONED_AFTER_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.mtimeMs < oldest) rmSync(path, { force: true });
  }
}
