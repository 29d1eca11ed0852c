import type { Kysely } from 'kysely';
import type { Project } from '../../../database/project.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { blobsOfFile, releaseBlobs, type StorageTables, type StoredFile } from '../queries.ts';
import { listReferencedPaths } from './referenced-files.ts';

/** Younger files may belong to a post that is being written, younger blobs to an upload in progress. */
export const SWEEP_MIN_AGE_MS = 24 * 60 * 60 * 1000;

const FILES_PER_STATEMENT = 500;

interface SweepOptions {
  project: Project;
  blobs: BlobStore;
  /** Age below which nothing is removed; SWEEP_MIN_AGE_MS at least. */
  olderThanMs: number;
  /** Removes nothing. */
  dryRun: boolean;
}

export interface SweepResult {
  /** Files that no row refers to, with the bytes of all their blobs. */
  files: { path: string; userId: string | null; bytes: number; updatedAt: number }[];
  /** Blobs of no file, left by an interrupted upload. */
  blobs: { key: string; bytes: number }[];
}

/** Finds files and blobs that nothing refers to, and removes them unless `dryRun` is set. The server may run meanwhile. */
export async function sweepStorage(options: SweepOptions): Promise<SweepResult> {
  if (options.olderThanMs < SWEEP_MIN_AGE_MS)
    throw new Error('A sweep leaves alone what is younger than a day.');
  const before = Date.now() - options.olderThanMs;
  const files = await sweepFiles(options, before);
  return { files, blobs: await sweepBlobs(options, before) };
}

async function sweepFiles(
  { project, blobs, dryRun }: SweepOptions,
  before: number,
): Promise<SweepResult['files']> {
  const { database } = project;
  const reader: Kysely<StorageTables> = database.reader;
  const swept: SweepResult['files'] = [];
  for (const file of await findUnreferenced(reader, project, before)) {
    let bytes = 0;
    for (const key of await blobsOfFile(database, file)) bytes += (await blobs.stat(key))?.size ?? 0;
    swept.push({ path: file.path, userId: file.user_id, bytes, updatedAt: file.updated_at });
  }
  if (dryRun) return swept;
  const removed = await removeUnreferenced(project, before);
  for (const key of removed.blobs) await blobs.remove(key);
  return swept.filter(({ path }) => removed.paths.has(path));
}

async function findUnreferenced(
  database: Kysely<StorageTables>,
  { definition }: Project,
  before: number,
): Promise<StoredFile[]> {
  const referenced = await listReferencedPaths(database as unknown as Kysely<unknown>, definition);
  const files = await database
    .selectFrom('files')
    .selectAll()
    .where('updated_at', '<', before)
    .orderBy('path')
    .execute();
  return files.filter(({ path }) => !referenced.has(path));
}

/** Searches again in the transaction that removes them: a row may refer to one by now. */
async function removeUnreferenced(
  project: Project,
  before: number,
): Promise<{ paths: Set<string>; blobs: string[] }> {
  const writer: Kysely<StorageTables> = project.database.writer;
  return writer.transaction().execute(async (transaction) => {
    const unreferenced = await findUnreferenced(transaction, project, before);
    const blobs: string[] = [];
    for (let at = 0; at < unreferenced.length; at += FILES_PER_STATEMENT) {
      const files = unreferenced.slice(at, at + FILES_PER_STATEMENT);
      const paths = files.map(({ path }) => path);
      await transaction.deleteFrom('files').where('path', 'in', paths).execute();
      blobs.push(...(await releaseBlobs(transaction, files)));
    }
    return { paths: new Set(unreferenced.map(({ path }) => path)), blobs };
  });
}

async function sweepBlobs(
  { project, blobs, dryRun }: SweepOptions,
  before: number,
): Promise<SweepResult['blobs']> {
  const stored = await listStoredKeys(project);
  const swept: SweepResult['blobs'] = [];
  for await (const { key, size, modifiedAt } of blobs.list(`${project.definition.id}/`)) {
    if (modifiedAt >= before || stored.has(key)) continue;
    swept.push({ key, bytes: size });
    if (!dryRun) await blobs.remove(key);
  }
  return swept;
}

/** A blob is put before its row is written, but an old blob without a row will not get one any more. */
async function listStoredKeys({ database }: Project): Promise<Set<string>> {
  const reader: Kysely<StorageTables> = database.reader;
  const files = await reader.selectFrom('files').select(['blob', 'served_blob']).execute();
  const variants = await reader.selectFrom('variants').select('key').execute();
  const ofFiles = files.flatMap(({ blob, served_blob: served }) => (served ? [blob, served] : [blob]));
  return new Set([...ofFiles, ...variants.map(({ key }) => key)]);
}
