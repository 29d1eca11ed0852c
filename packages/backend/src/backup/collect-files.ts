import { join } from 'node:path';
import type { Snapshot } from '../database/transfer/index.ts';
import { forEachConcurrently } from '../runtime/for-each-concurrently.ts';
import {
  type BlobStore,
  copyBlob,
  createDiskBlobStore,
  createTemporaryFiles,
  hashBlob,
} from '../services/storage/index.ts';
import { type NamedBlob, namedBlobs } from './named-blobs.ts';

/** Inside a backup, where files are named as in the store. */
export const FILES_FOLDER = 'files';

/** Where files lie that belong to no one yet; removed at the end. */
export const INCOMING_FOLDER = '.incoming';

export interface Collected {
  count: number;
  /** Bytes of all. */
  bytes: number;
  /** Paths of files that the store did not have, or not as they were uploaded. */
  damaged: string[];
  /** Paths of files that somebody removed right after the database was read. */
  gone: string[];
}

/** Copies what a snapshot names, and is not there yet, into the backup. Answers the keys of what the store lacks. */
export async function collectFiles(
  snapshot: Snapshot,
  from: BlobStore,
  folder: string,
): Promise<ReadonlySet<string>> {
  const to = createDiskBlobStore(join(folder, FILES_FOLDER));
  const temporaryFiles = createTemporaryFiles(join(folder, INCOMING_FOLDER));
  const missing = new Set<string>();
  await forEachConcurrently(namedBlobs(snapshot), async ({ key, required }) => {
    if (await to.stat(key)) return;
    if (!(await copyBlob(key, { from, to, temporaryFiles })) && required) missing.add(key);
  });
  return missing;
}

export interface Settled {
  projectId: string;
  folder: string;
  /** Keys of what was removed meanwhile. */
  gone: ReadonlySet<string>;
}

/** Compares what is in the backup now with what the snapshot names, and removes what it does not. */
export async function settleFiles(
  snapshot: Snapshot,
  { projectId, folder, gone }: Settled,
): Promise<Collected> {
  const store = createDiskBlobStore(join(folder, FILES_FOLDER));
  const collected: Collected = { count: 0, bytes: 0, damaged: [], gone: [] };
  const named = new Set<string>();
  for await (const blob of namedBlobs(snapshot)) {
    named.add(blob.key);
    const found = await store.stat(blob.key);
    if (found) {
      collected.count += 1;
      collected.bytes += found.size;
    }
    if (await isWhole(store, blob)) continue;
    collected[gone.has(blob.key) ? 'gone' : 'damaged'].push(blob.path);
  }
  for await (const { key } of store.list(`${projectId}/`)) if (!named.has(key)) await store.remove(key);
  return collected;
}

async function isWhole(store: BlobStore, { key, sha256, required }: NamedBlob): Promise<boolean> {
  const hash = await hashBlob(store, key);
  return hash === undefined ? !required : sha256 === null || hash === sha256;
}
