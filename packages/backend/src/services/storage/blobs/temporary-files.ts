import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Nothing takes this long: what is older was cut off by a crash. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** The folder where files lie that belong to no one yet. */
export interface TemporaryFiles {
  /**
   * Takes bytes in as they come, without holding them in memory, hashing and counting on the way. Nothing is
   * left behind when `source` throws or the disk refuses (that error is thrown on).
   */
  receive(source: AsyncIterable<Uint8Array>): Promise<TemporaryFile>;
  /** A path in the folder that nobody else has, for a file that is made in another way. Whoever makes it removes it. */
  newPath(): string;
}

/** Bytes that have arrived in full: `put` them into a store, or `discard` them. */
export interface TemporaryFile {
  /** Bytes. */
  size: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  localPath: string;
  /** No error when the file is gone already. */
  discard(): Promise<void>;
}

/** Makes `folder` if need be, and clears it of what a crash has left there. */
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
