import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { createTemporaryFiles } from './temporary-files.ts';

/**
 * Calls `act` with a local file that has the blob's bytes: the store's own file where it has one, which must only be
 * read, else a copy that is removed afterwards. Returns null when there is no such blob.
 */
export async function withLocalCopy<T>(
  blobs: BlobStore,
  key: string,
  act: (localPath: string) => Promise<T>,
): Promise<T | null> {
  const own = blobs.localPath(key);
  if (own !== undefined) return (await blobs.stat(key)) && act(own);
  const body = await blobs.read(key);
  if (!body) return null;
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-blob-'));
  try {
    const { localPath } = await createTemporaryFiles(folder).receive(body);
    return await act(localPath);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
