import { constants, mkdirSync } from 'node:fs';
import { access, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { type BlobStore, type ListedBlob, requireBlobKey } from './blob-store.ts';

/**
 * Stores blobs as files below `folder`, named by their keys. `put` expects a file on the same file system: it flushes
 * the file to the disk, then renames it. Names that begin with a dot are ignored.
 */
export function createDiskBlobStore(folder: string): BlobStore {
  mkdirSync(folder, { recursive: true });
  const locate = (key: string) => join(folder, requireBlobKey(key));

  return {
    async put(key, localPath) {
      const path = locate(key);
      await sync(localPath);
      await makeFolder(dirname(path));
      await rename(localPath, path);
      // A rename is only durable once the folder that holds the name is.
      await sync(dirname(path));
    },
    async read(key, range) {
      const file = await unlessMissing(open(locate(key)));
      return file && (Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>);
    },
    async stat(key) {
      const found = await unlessMissing(stat(locate(key)));
      return found && { size: found.size };
    },
    remove: (key) => rm(locate(key), { force: true }),
    list: (prefix) => list(folder, { below: '', prefix }),
    async check() {
      await access(folder, constants.W_OK).catch((cause) => {
        throw new Error('The folder of the files cannot be written to.', { cause });
      });
    },
    localPath: locate,
  };
}

interface Listing {
  /** Folder that is listed: empty, or ending in a slash. */
  below: string;
  prefix: string;
}

async function* list(folder: string, { below, prefix }: Listing): AsyncGenerator<ListedBlob> {
  const entries = await unlessMissing(opendir(join(folder, below)));
  if (!entries) return;
  for await (const entry of entries) {
    const key = below + entry.name;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      const inside = `${key}/`;
      if (inside.startsWith(prefix) || prefix.startsWith(inside))
        yield* list(folder, { below: inside, prefix });
    } else if (key.startsWith(prefix)) {
      const found = await unlessMissing(stat(join(folder, key)));
      if (found) yield { key, size: found.size, modifiedAt: found.mtimeMs };
    }
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Creates the folder with its parents, and flushes each to the disk: a file is only as durable as its folder. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await sync(dirname(made));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
