import { join } from 'node:path';
import type { ProjectDefinition } from '../core/project.ts';
import { requireKnown } from '../database/migrate.ts';
import { type DatabaseLocation, type Staged, sumsOf, type TableSum } from '../database/transfer/index.ts';
import { migrationsOf } from '../project-database.ts';
import { forEachConcurrently } from '../runtime/for-each-concurrently.ts';
import { copyBlob, createDiskBlobStore, hashBlob, type OpenBlobs } from '../services/storage/index.ts';
import { checkBackup, isSameAs } from './check-backup.ts';
import { FILES_FOLDER } from './collect-files.ts';
import { isDiskFull } from './disk-full.ts';
import { readSums } from './file-sums.ts';
import { changedKeys, KEYS_FOLDER, type RestoreKeys, restoreKeys } from './key-files.ts';
import type { Guard } from './lock.ts';
import type { Manifest, ProjectBackup } from './manifest.ts';
import { readUnfinished, removeUnfinished, writeUnfinished } from './unfinished-restore.ts';

export interface RestoreOptions {
  /** The backup. */
  folder: string;
  /** Those that are defined here. */
  definitions: readonly ProjectDefinition[];
  /** The only one that is to be restored; undefined: all that are in the backup. */
  only: string | undefined;
  place: DatabaseLocation;
  guard: Guard;
  /** The store of files: opening it makes folders. */
  openBlobs(): OpenBlobs;
  dataDir: string;
  /** What is there already is kept aside rather than being a reason not to begin. */
  replace: boolean;
  /** What no migration made, and PostgreSQL is not to have. */
  leaveOut: readonly string[];
}

export interface Restored {
  projects: ProjectBackup[];
  /** Where databases and keys are that were there before. */
  aside: string[];
}

/**
 * Puts a backup in its place, on whichever engine: first all of it is made ready beside what is there, then the one
 * takes the other's place. Killed before that, everything is as it was; killed meanwhile, nobody can begin to work with
 * the data before the same restore has gone to its end. Throws a sentence when there is something else there already,
 * when anybody works with it, or when the backup is not whole.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const hold = await options.guard.take();
  if (!hold)
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
    await hold.release();
  }
}

async function restore(options: RestoreOptions): Promise<Restored> {
  const { folder, place } = options;
  const unfinished = readUnfinished(options.dataDir);
  if (unfinished && unfinished.backup !== folder) {
    throw new Error(`A restore of ${unfinished.backup} was broken off here: finish that one first.`);
  }
  const replace = unfinished?.replace ?? options.replace;
  const suffix = unfinished?.suffix ?? `replaced-${compactTime(new Date())}`;
  const chosen = chooseProjects(await checkBackup(folder), options);
  const keys = keysOf(options, chosen);
  const wanted = await withoutThose(chosen, options);
  if (!replace) await requireEmpty(place, wanted, keys);

  const store = options.openBlobs();
  for (const { backup } of chosen) if (backup.files) await putFiles(folder, store, backup.id);
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

/** A project as it is in the backup, and as it is defined here. */
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

function keysOf({ folder, dataDir, only }: RestoreOptions, chosen: readonly Chosen[]): RestoreKeys {
  return {
    from: join(folder, KEYS_FOLDER),
    to: join(dataDir, KEYS_FOLDER),
    projects: chosen.map(({ definition }) => definition),
    whole: only === undefined,
  };
}

/** Those that are not as they are in the backup already: a restore that was broken off has put some in their places. */
async function withoutThose(
  chosen: readonly Chosen[],
  { place, leaveOut }: RestoreOptions,
): Promise<Chosen[]> {
  const wanted: Chosen[] = [];
  for (const project of chosen) {
    const sums = await sumsOfPresent(place, project.backup.id);
    if (!sums || !arrived(sums, project.backup, leaveOut)) wanted.push(project);
  }
  return wanted;
}

/** Undefined when there is nothing, or nothing that can be read. */
async function sumsOfPresent(place: DatabaseLocation, id: string): Promise<TableSum[] | undefined> {
  if (!(await place.has(id))) return undefined;
  try {
    const snapshot = await place.snapshot(id);
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
  place: DatabaseLocation,
  wanted: readonly Chosen[],
  keys: RestoreKeys,
): Promise<void> {
  const how = 'restore with --replace to keep it aside and put the backup in its place.';
  for (const { backup } of wanted) {
    if (await place.has(backup.id))
      throw new Error(`There is a database of project "${backup.id}" in ${place.name} already: ${how}`);
  }
  const { replaced } = await changedKeys(keys);
  if (replaced.length > 0)
    throw new Error(`There is another key ${replaced[0]} in ${keys.to} already: ${how}`);
}

/** Files have keys that nothing else has: until a database names them, nobody notices them. */
async function putFiles(
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
  { folder, place, leaveOut }: RestoreOptions,
): Promise<Staged> {
  const staged = await place.stageFile(definition, join(folder, `${backup.id}.sqlite`), { leaveOut });
  if (arrived(staged.sums, backup, leaveOut)) return staged;
  await staged.discard();
  throw new Error(`The database of project "${backup.id}" did not arrive as it is in the backup.`);
}

/** Whether tables are as they are in the backup, save those that are left out or have a column that is. */
function arrived(sums: readonly TableSum[], { tables }: ProjectBackup, leaveOut: readonly string[]): boolean {
  const counts = ({ table }: TableSum) =>
    !leaveOut.some((name) => name === table || name.startsWith(`${table}.`));
  return isSameAs(sums.filter(counts), tables.filter(counts));
}

async function commit(staged: readonly Staged[], suffix: string | undefined): Promise<string[]> {
  const aside: string[] = [];
  for (const one of staged) {
    const kept = await one.commit(suffix);
    if (kept !== undefined) aside.push(kept);
  }
  return aside;
}

/** `20261121T150308Z` */
export function compactTime(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '');
}
