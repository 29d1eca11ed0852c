import { join } from 'node:path';
import type { ProjectDefinition } from '../core/project.ts';
import { requireKnown } from '../database/migrate.ts';
import {
  type DatabaseLocation,
  type ReportProgress,
  type Staged,
  sumsOf,
  type TableSum,
} from '../database/transfer/index.ts';
import { migrationsOf } from '../project-database.ts';
import { forEachConcurrently } from '../runtime/for-each-concurrently.ts';
import { copyBlob, createDiskBlobStore, hashBlob, type OpenBlobs } from '../services/storage/index.ts';
import { checkBackup, differencesOf } from './check-backup.ts';
import { FILES_FOLDER, isDiskFull } from './collect-files.ts';
import { readSums } from './file-sums.ts';
import { changedKeys, KEYS_FOLDER, type RestoreKeys, restoreKeys } from './key-files.ts';
import type { DataGuard } from './lock.ts';
import type { Manifest, ProjectBackup } from './manifest.ts';
import { readUnfinished, removeUnfinished, writeUnfinished } from './unfinished-restore.ts';

interface RestoreOptions {
  /** The backup. */
  folder: string;
  /** The projects that are defined here. */
  definitions: readonly ProjectDefinition[];
  /** The only project to restore; `undefined` restores all projects of the backup. */
  only: string | undefined;
  /** The id of the main project. */
  mainId: string;
  location: DatabaseLocation;
  guard: DataGuard;
  /** Opens the file store, which creates folders. */
  openBlobs(): OpenBlobs;
  dataDir: string;
  /** Whether existing data is set aside. Otherwise it makes the restore fail. */
  replace: boolean;
  /** Tables, views and columns that no migration made, and that are not restored into PostgreSQL. */
  leaveOut: readonly string[];
  onProgress?: ReportProgress | undefined;
}

export interface Restored {
  projects: ProjectBackup[];
  /** The folder where the previous databases and keys are now. */
  aside: string[];
}

/**
 * Restores a backup into either engine. Everything is staged beside the existing data, then swapped in. When
 * the process is killed before the swap, nothing has changed; when it is killed during the swap, no process
 * can use the data until the same restore has finished. Throws when there is other data already, when a
 * process uses the data, or when the backup is damaged.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const lock = await options.guard.lockExclusive();
  if (!lock)
    throw new Error('Somebody works with this data: stop Fabrica and its commands first, then restore.');
  try {
    return await restore(options);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const state = readUnfinished(options.dataDir)
      ? 'make room and restore once more'
      : 'everything is as it was';
    throw new Error(`There is not enough room for what is in the backup: ${state}.`, { cause: error });
  } finally {
    await lock.release();
  }
}

async function restore(options: RestoreOptions): Promise<Restored> {
  const { folder, location } = options;
  const unfinished = readUnfinished(options.dataDir);
  if (unfinished && unfinished.backup !== folder) {
    throw new Error(`A restore of ${unfinished.backup} was broken off here: finish that one first.`);
  }
  const replace = unfinished?.replace ?? options.replace;
  const suffix = unfinished?.suffix ?? `replaced-${compactTime(new Date())}`;
  const chosen = chooseProjects(await checkBackup(folder), options);
  const keys = keysOf(options, chosen);
  const wanted = await notYetRestored(chosen, options);
  if (!replace) await requireEmpty(location, wanted, keys);

  const store = options.openBlobs();
  for (const { backup } of chosen) if (backup.files) await restoreFiles(folder, store, backup.id);
  const staged: Staged[] = [];
  try {
    for (const project of wanted) staged.push(await stage(project, options));
    await writeUnfinished(options.dataDir, { backup: folder, suffix, replace });
    const aside = [
      ...(await commit(staged, replace ? suffix : undefined)),
      ...(await restoreKeys(keys, suffix)),
    ];
    await removeUnfinished(options.dataDir);
    return { projects: chosen.map(({ backup }) => backup), aside };
  } finally {
    for (const one of staged) await one.discard();
  }
}

/** A project in the backup with its definition here. */
interface Chosen {
  backup: ProjectBackup;
  definition: ProjectDefinition;
}

function chooseProjects({ projects }: Manifest, { definitions, only }: RestoreOptions): Chosen[] {
  const chosen = projects.filter(({ id }) => only === undefined || id === only);
  if (chosen.length === 0) {
    throw new Error(
      `The backup has no project "${only}"; it has: ${projects.map(({ id }) => id).join(', ')}.`,
    );
  }
  return chosen.map((backup) => {
    const definition = definitions.find(({ id }) => id === backup.id);
    if (!definition) {
      throw new Error(
        `The backup has a project "${backup.id}", which is not defined here: define it, or choose another one with --project.`,
      );
    }
    try {
      requireKnown(backup.migrations, migrationsOf(definition));
    } catch (cause) {
      throw new Error(`Project "${backup.id}": ${(cause as Error).message}`, { cause });
    }
    return { backup, definition };
  });
}

function keysOf({ folder, dataDir, mainId }: RestoreOptions, chosen: readonly Chosen[]): RestoreKeys {
  return {
    from: join(folder, KEYS_FOLDER),
    to: join(dataDir, KEYS_FOLDER),
    projects: chosen.map(({ definition }) => definition),
    withMain: chosen.some(({ definition }) => definition.id === mainId),
  };
}

/** Returns the projects that are not in place yet: an interrupted restore may have put some in place. */
async function notYetRestored(
  chosen: readonly Chosen[],
  { location, leaveOut }: RestoreOptions,
): Promise<Chosen[]> {
  const wanted: Chosen[] = [];
  for (const project of chosen) {
    const sums = await sumsOfExisting(location, project.backup.id);
    if (!sums || differencesFrom(project.backup, sums, leaveOut).length > 0) wanted.push(project);
  }
  return wanted;
}

/** Returns `undefined` when there is no database, or none that can be read. */
async function sumsOfExisting(location: DatabaseLocation, id: string): Promise<TableSum[] | undefined> {
  if (!(await location.has(id))) return undefined;
  try {
    const snapshot = await location.snapshot(id);
    try {
      return await sumsOf(snapshot);
    } finally {
      await snapshot.close();
    }
  } catch {
    return undefined;
  }
}

async function requireEmpty(
  location: DatabaseLocation,
  wanted: readonly Chosen[],
  keys: RestoreKeys,
): Promise<void> {
  const how = 'restore with --replace to keep it aside and put the backup in its place.';
  for (const { backup } of wanted) {
    if (await location.has(backup.id))
      throw new Error(`There is a database of project "${backup.id}" in ${location.name} already: ${how}`);
  }
  const { replaced } = await changedKeys(keys);
  if (replaced.length > 0)
    throw new Error(`There is another key ${replaced[0]} in ${keys.to} already: ${how}`);
}

/** Copies the files. Their keys are unique, so they have no effect until a database names them. */
async function restoreFiles(
  folder: string,
  { blobs, temporaryFiles }: OpenBlobs,
  projectId: string,
): Promise<void> {
  const from = createDiskBlobStore(join(folder, FILES_FOLDER));
  const prefix = `${FILES_FOLDER}/`;
  await forEachConcurrently(readSums(folder), async ({ path, sha256 }) => {
    if (!path.startsWith(`${prefix}${projectId}/`)) return;
    const key = path.slice(prefix.length);
    if ((await hashBlob(blobs, key)) === sha256) return;
    await copyBlob(key, { from, to: blobs, temporaryFiles });
    if ((await hashBlob(blobs, key)) !== sha256) throw new Error(`The file ${path} did not arrive as it is.`);
  });
}

async function stage(
  { backup, definition }: Chosen,
  { folder, location, leaveOut, onProgress }: RestoreOptions,
): Promise<Staged> {
  const path = join(folder, `${backup.id}.sqlite`);
  const staged = await location.stageFile(definition, path, { leaveOut, onProgress });
  const differences = differencesFrom(backup, staged.sums, leaveOut);
  if (differences.length === 0) return staged;
  await staged.discard();
  throw new Error(
    `The database of project "${backup.id}" did not arrive as it is in the backup: ${differences.join(', ')}.`,
  );
}

/**
 * Returns what is not as it is in the backup. Tables that are left out, or that have a column that is, are not compared.
 */
function differencesFrom(
  { tables }: ProjectBackup,
  sums: readonly TableSum[],
  leaveOut: readonly string[],
): string[] {
  const counts = ({ table }: TableSum) =>
    !leaveOut.some((name) => name === table || name.startsWith(`${table}.`));
  return differencesOf(tables.filter(counts), sums.filter(counts));
}

async function commit(staged: readonly Staged[], suffix: string | undefined): Promise<string[]> {
  const aside: string[] = [];
  for (const one of staged) {
    const previous = await one.commit(suffix);
    if (previous !== undefined) aside.push(previous);
  }
  return aside;
}

/** Returns the time as `20261121T150308Z`. */
export function compactTime(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '');
}
