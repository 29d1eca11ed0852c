import type { Kysely } from 'kysely';
import type { Project } from '../../../database/project.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { blobsOfFile, releaseBlobs, type StorageTables, type StoredFile } from '../queries.ts';
import { listReferencedPaths } from './referenced-files.ts';

/** What is younger may belong to a post that is being written, or to an upload that is under way. */
export const SWEEP_MIN_AGE_MS = 24 * 60 * 60 * 1000;

const FILES_PER_STATEMENT = 500;

export interface SweepOptions {
  project: Project;
  blobs: BlobStore;
  /** Nothing that changed later is touched; SWEEP_MIN_AGE_MS at least. */
  olderThanMs: number;
  /** Only looks. */
  dryRun: boolean;
}

export interface SweepResult {
  /** Files that no row names, and what all that is kept for them takes. */
  files: { path: string; userId: string | null; bytes: number; updatedAt: number }[];
  /** Blobs that no file names: an upload was broken off in between. */
  blobs: { key: string; bytes: number }[];
}

/** Finds what nothing leads to any more, and removes it unless it is only to be looked at. Others may work meanwhile. */
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
  for (const file of await findUnnamed(reader, project, before)) {
    let bytes = 0;
    for (const key of await blobsOfFile(database, file)) bytes += (await blobs.stat(key))?.size ?? 0;
    swept.push({ path: file.path, userId: file.user_id, bytes, updatedAt: file.updated_at });
  }
  if (dryRun) return swept;
  const removed = await removeUnnamed(project, before);
  for (const key of removed.blobs) await blobs.remove(key);
  return swept.filter(({ path }) => removed.paths.has(path));
}

async function findUnnamed(
  database: Kysely<StorageTables>,
  { definition }: Project,
  before: number,
): Promise<StoredFile[]> {
  const named = await listReferencedPaths(database as unknown as Kysely<unknown>, definition);
  const files = await database
    .selectFrom('files')
    .selectAll()
    .where('updated_at', '<', before)
    .orderBy('path')
    .execute();
  return files.filter(({ path }) => !named.has(path));
}

/** Looks again, in the transaction that removes them: a row may have come to name one. */
async function removeUnnamed(
  project: Project,
  before: number,
): Promise<{ paths: Set<string>; blobs: string[] }> {
  const writer: Kysely<StorageTables> = project.database.writer;
  return writer.transaction().execute(async (transaction) => {
    const unnamed = await findUnnamed(transaction, project, before);
    const blobs: string[] = [];
    for (let at = 0; at < unnamed.length; at += FILES_PER_STATEMENT) {
      const files = unnamed.slice(at, at + FILES_PER_STATEMENT);
      const paths = files.map(({ path }) => path);
      await transaction.deleteFrom('files').where('path', 'in', paths).execute();
      blobs.push(...(await releaseBlobs(transaction, files)));
    }
    return { paths: new Set(unnamed.map(({ path }) => path)), blobs };
  });
}

async function sweepBlobs(
  { project, blobs, dryRun }: SweepOptions,
  before: number,
): Promise<SweepResult['blobs']> {
  const kept = await listKeptKeys(project);
  const swept: SweepResult['blobs'] = [];
  for await (const { key, size, modifiedAt } of blobs.list(`${project.definition.id}/`)) {
    if (modifiedAt >= before || kept.has(key)) continue;
    swept.push({ key, bytes: size });
    if (!dryRun) await blobs.remove(key);
  }
  return swept;
}

/** A blob is put before it is noted: whichever is old and not in here will not be any more. */
async function listKeptKeys({ database }: Project): Promise<Set<string>> {
  const reader: Kysely<StorageTables> = database.reader;
  const files = await reader.selectFrom('files').select(['blob', 'served_blob']).execute();
  const variants = await reader.selectFrom('variants').select('key').execute();
  const ofFiles = files.flatMap(({ blob, served_blob: served }) => (served ? [blob, served] : [blob]));
  return new Set([...ofFiles, ...variants.map(({ key }) => key)]);
}
