import { createHash } from 'node:crypto';
import type { BlobStore } from './blob-store.ts';
import type { Incoming } from './incoming.ts';

export interface BlobCopy {
  from: BlobStore;
  to: BlobStore;
  /** On the way from one to the other. */
  incoming: Incoming;
}

/** Copies a blob from one store to another. Answers false when there is none. */
export async function putBlob(key: string, { from, to, incoming }: BlobCopy): Promise<boolean> {
  const body = await from.read(key);
  if (!body) return false;
  const file = await incoming.receive(body);
  try {
    await to.put(key, file.localPath);
  } finally {
    await file.discard();
  }
  return true;
}

/** SHA-256, hexadecimal; undefined when there is no such blob. */
export async function hashOfBlob(blobs: BlobStore, key: string): Promise<string | undefined> {
  const body = await blobs.read(key);
  if (!body) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex');
}
