import { join } from 'node:path';
import type { Snapshot } from '../database/transfer/index.ts';
import { forEachConcurrently } from '../runtime/for-each-concurrently.ts';
import {
  type BlobStore,
  copyBlob,
  createDiskBlobStore,
  createTemporaryFiles,
  hashBlob,
  isStoreFull,
} from '../services/storage/index.ts';
import { type NamedBlob, namedBlobs } from './named-blobs.ts';

/** The folder of files inside a backup, where they are named as in the file store. */
export const FILES_FOLDER = 'files';

/** The folder for files that are being copied; removed at the end. */
export const INCOMING_FOLDER = '.incoming';

export interface BackedUpFiles {
  count: number;
  /** The size of all files together. */
  bytes: number;
  /** Paths of files that the file store lacked, or had with other bytes than were uploaded. */
  damaged: string[];
  /** Paths of files that were deleted right after the database was read. */
  gone: string[];
}

/**
 * Copies the files that a snapshot names into the backup, unless they are there already. Returns the keys
 * that the file store lacks.
 */
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

interface VerifyOptions {
  projectId: string;
  folder: string;
  /** Keys of files that were deleted in the meantime. */
  gone: ReadonlySet<string>;
}

/** Compares the backup's files with those that the snapshot names, and removes others. */
export async function verifyFiles(
  snapshot: Snapshot,
  { projectId, folder, gone }: VerifyOptions,
): Promise<BackedUpFiles> {
  const store = createDiskBlobStore(join(folder, FILES_FOLDER));
  const collected: BackedUpFiles = { count: 0, bytes: 0, damaged: [], gone: [] };
  const named = new Set<string>();
  await forEachConcurrently(namedBlobs(snapshot), async (blob) => {
    named.add(blob.key);
    const found = await store.stat(blob.key);
    if (found) {
      collected.count += 1;
      collected.bytes += found.size;
    }
    if (await isIntact(store, blob)) return;
    collected[gone.has(blob.key) ? 'gone' : 'damaged'].push(blob.path);
  });
  for (const paths of [collected.damaged, collected.gone]) paths.sort();
  for await (const { key } of store.list(`${projectId}/`)) if (!named.has(key)) await store.remove(key);
  return collected;
}

async function isIntact(store: BlobStore, { key, sha256, required }: NamedBlob): Promise<boolean> {
  const hash = await hashBlob(store, key);
  return hash === undefined ? !required : sha256 === null || hash === sha256;
}

/**
 * SQLite's codes for a full disk, and for a system that refuses to make a file larger. A copy of a whole
 * database reports the latter only as an input/output error.
 */
const SQLITE_REFUSED: readonly unknown[] = [13, 778, 10];

/** Returns whether a full disk caused an error, directly or through its `cause`. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode } = error as { errcode?: unknown };
  return SQLITE_REFUSED.includes(errcode) || isStoreFull(error) || isDiskFull(error.cause);
}
