import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { forEachConcurrently } from '../../../runtime/for-each-concurrently.ts';
import type { StorageTables } from '../queries.ts';
import type { BlobStore } from './blob-store.ts';
import type { TemporaryFiles } from './temporary-files.ts';

export interface CopyOptions {
  project: Project;
  from: BlobStore;
  to: BlobStore;
  /** On the way from one to the other. */
  temporaryFiles: TemporaryFiles;
  /** Called now and then with how many were looked at. */
  onProgress(done: number): void;
}

export interface CopyResult {
  /** Blobs that were not there, or not in full. */
  copied: number;
  /** Bytes of those. */
  bytes: number;
  /** Blobs that were there in full. */
  present: number;
  /** Originals that have the hash they were uploaded with. */
  compared: number;
  /** Paths of files whose original has another one, or is missing, in the store that was copied from as well. */
  damaged: string[];
}

/**
 * Copies all blobs of a project from one store to the other. What is there in full already is left as it is, so that a
 * copy that was broken off goes on. At the end each original is read from where it is now and its hash compared; one
 * that differs is copied anew.
 */
export async function copyBlobs({
  project,
  from,
  to,
  temporaryFiles,
  onProgress,
}: CopyOptions): Promise<CopyResult> {
  const result: CopyResult = { copied: 0, bytes: 0, present: 0, compared: 0, damaged: [] };
  let done = 0;
  const copy = (key: string) => copyBlob(key, { from, to, temporaryFiles });
  await forEachConcurrently(from.list(`${project.definition.id}/`), async ({ key, size }) => {
    if ((await to.stat(key))?.size === size) result.present += 1;
    else if (await copy(key)) {
      result.copied += 1;
      result.bytes += size;
    }
    done += 1;
    onProgress(done);
  });
  await forEachConcurrently(await listOriginals(project), async ({ path, blob, hash }) => {
    const isRight = async () => (await hashBlob(to, blob)) === hash;
    if ((await isRight()) || ((await copy(blob)) && (await isRight()))) result.compared += 1;
    else if (await isStillThere(project, blob)) result.damaged.push(path);
  });
  result.damaged.sort();
  return result;
}

function listOriginals({ database }: Project) {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').select(['path', 'blob', 'hash']).orderBy('path').execute();
}

async function isStillThere({ database }: Project, blob: string): Promise<boolean> {
  const reader: Kysely<StorageTables> = database.reader;
  const found = await reader.selectFrom('files').select('path').where('blob', '=', blob).executeTakeFirst();
  return found !== undefined;
}

export interface BlobTransfer {
  from: BlobStore;
  to: BlobStore;
  /** On the way from one to the other. */
  temporaryFiles: TemporaryFiles;
}

/** Copies a blob from one store to another. Answers false when there is none. */
export async function copyBlob(key: string, { from, to, temporaryFiles }: BlobTransfer): Promise<boolean> {
  const body = await from.read(key);
  if (!body) return false;
  const file = await temporaryFiles.receive(body);
  try {
    await to.put(key, file.localPath);
  } finally {
    await file.discard();
  }
  return true;
}

/** SHA-256, hexadecimal; undefined when there is no such blob. */
export async function hashBlob(blobs: BlobStore, key: string): Promise<string | undefined> {
  const body = await blobs.read(key);
  if (!body) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex');
}
