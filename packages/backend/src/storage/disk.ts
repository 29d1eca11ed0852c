import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { BlobStore, IncomingBlob } from './blob-store.ts';

/** No upload takes this long: what is older in the incoming folder was cut off by a crash. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Files below `folder`: written to `folder/.incoming`, flushed to the disk, then renamed to their key. */
export function createDiskBlobStore(folder: string): BlobStore {
  const incomingFolder = join(folder, '.incoming');
  mkdirSync(incomingFolder, { recursive: true });
  removeAbandoned(incomingFolder);
  const locate = (key: string) => {
    if (!/^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/.test(key)) throw new Error(`"${key}" cannot be the key of a blob.`);
    return join(folder, key);
  };

  return {
    async receive(source) {
      const localPath = join(incomingFolder, randomUUID());
      const discard = () => rm(localPath, { force: true });
      try {
        const { size, hash } = await write(localPath, source);
        return {
          size,
          hash,
          localPath,
          keep: (key) => keep(localPath, locate(key)),
          discard,
        } satisfies IncomingBlob;
      } catch (error) {
        await discard();
        throw error;
      }
    },
    async read(key, range) {
      const file = await open(locate(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      return file && (Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>);
    },
    remove: (key) => rm(locate(key), { force: true }),
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
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, hash: hash.digest('hex') };
}

async function keep(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  // A rename is only durable once the folder that holds the name is.
  const folder = await open(dirname(to));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function removeAbandoned(folder: string): void {
  const oldest = Date.now() - ABANDONED_AFTER_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true });
  }
}
