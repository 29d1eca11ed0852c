import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { forEachConcurrently } from '../../../runtime/for-each-concurrently.ts';
import { hashFile } from '../../../runtime/hash-file.ts';
import type { StorageTables } from '../queries.ts';
import type { BlobStore } from './blob-store.ts';
import type { TemporaryFiles } from './temporary-files.ts';

interface CopyOptions {
  project: Project;
  from: BlobStore;
  to: BlobStore;
  /** Holds each blob on its way from one store to the other. */
  temporaryFiles: TemporaryFiles;
  /** Called with the number of blobs done so far. */
  onProgress(done: number): void;
}

export interface CopyResult {
  /** Blobs that were missing or incomplete. */
  copied: number;
  /** Bytes of the copied blobs. */
  bytes: number;
  /** Blobs that were complete already. */
  present: number;
  /** Originals whose hash is that of the upload. */
  compared: number;
  /** Paths of files whose original is missing or has another hash in both stores. */
  damaged: string[];
}

/**
 * Copies all blobs of a project from one store to the other. Complete blobs are skipped, so that an interrupted copy
 * can be resumed. Then every original is read back and its hash compared; one that differs is copied again.
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
    else if (await isStored(project, blob)) result.damaged.push(path);
  });
  result.damaged.sort();
  return result;
}

function listOriginals({ database }: Project) {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').select(['path', 'blob', 'hash']).orderBy('path').execute();
}

async function isStored({ database }: Project, blob: string): Promise<boolean> {
  const reader: Kysely<StorageTables> = database.reader;
  const found = await reader.selectFrom('files').select('path').where('blob', '=', blob).executeTakeFirst();
  return found !== undefined;
}

interface BlobTransfer {
  from: BlobStore;
  to: BlobStore;
  /** Holds each blob on its way from one store to the other. */
  temporaryFiles: TemporaryFiles;
}

/** Copies a blob from one store to another. Returns false when there is no such blob. */
export async function copyBlob(key: string, { from, to, temporaryFiles }: BlobTransfer): Promise<boolean> {
  const own = from.localPath(key);
  if (own !== undefined) return copyLocalFile(key, own, { to, temporaryFiles });
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

/** Copies a file without reading it into this process, or shares its blocks where the file system can. */
async function copyLocalFile(
  key: string,
  path: string,
  { to, temporaryFiles }: Omit<BlobTransfer, 'from'>,
): Promise<boolean> {
  const copy = temporaryFiles.newPath();
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    await to.put(key, copy);
    return true;
  } catch (error) {
    if (!existsSync(path)) return false;
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Returns the SHA-256 in hexadecimal, or undefined when there is no such blob. */
export async function hashBlob(blobs: BlobStore, key: string): Promise<string | undefined> {
  const own = blobs.localPath(key);
  if (own !== undefined) return (await hashFile(own)) ?? undefined;
  const body = await blobs.read(key);
  if (!body) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex');
}
