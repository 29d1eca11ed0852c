import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProjectDefinition } from '../core/project.ts';
import {
  type DatabaseLocation,
  openSqliteSnapshot,
  type Snapshot,
  sumsOf,
} from '../database/transfer/index.ts';
import type { BlobStore } from '../services/storage/index.ts';
import { requireWhole } from './check-backup.ts';
import { type Collected, collectFiles, INCOMING_FOLDER, settleFiles } from './collect-files.ts';
import { isDiskFull } from './disk-full.ts';
import { writeSums } from './file-sums.ts';
import { KEYS_FOLDER, saveKeys } from './key-files.ts';
import { type Manifest, type ProjectBackup, writeManifest } from './manifest.ts';
import { namedBlobs } from './named-blobs.ts';

/** A folder of this name is not a backup yet, or has not become one. */
const UNFINISHED_SUFFIX = '.unfinished';

/** So often the database is read again because files went while they were copied. */
const MOST_ROUNDS = 3;

export interface BackupOptions {
  projects: readonly ProjectDefinition[];
  place: DatabaseLocation;
  /** Undefined: files are left where they are. */
  blobs: BlobStore | undefined;
  dataDir: string;
  /** The backup, which is not there yet. */
  folder: string;
  /** What no migration made, which PostgreSQL cannot hand over. */
  leaveOut: readonly string[];
  /** Of this program. */
  version: string;
}

/**
 * Writes all of some projects into a new folder, while others may go on writing: each database as it was at one moment,
 * with the files that it names. All of it is read again at the end. Whatever goes wrong, there is a whole backup or
 * none; a process that is killed leaves a folder behind whose name says so.
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { folder } = options;
  await requireNew(folder);
  const unfinished = await makeUnfinished(folder);
  try {
    const manifest = await fill(unfinished, options);
    await syncFolder(unfinished);
    await rename(unfinished, folder);
    await syncFolder(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!isDiskFull(error)) throw error;
    throw new Error(
      `There is not enough room for the backup in ${dirname(folder)}: nothing was kept of it.`,
      {
        cause: error,
      },
    );
  }
}

async function fill(folder: string, options: BackupOptions): Promise<Manifest> {
  const projects: ProjectBackup[] = [];
  for (const project of options.projects) projects.push(await backUpProject(folder, project, options));
  await rm(join(folder, INCOMING_FOLDER), { recursive: true, force: true });
  await saveKeys(join(options.dataDir, KEYS_FOLDER), join(folder, KEYS_FOLDER), options.projects);
  const sums = await writeSums(folder);
  const { engine } = options.place;
  const manifest: Manifest = {
    fabrica: options.version,
    madeAt: new Date().toISOString(),
    engine,
    projects,
    sums,
  };
  await writeManifest(folder, manifest);
  return manifest;
}

async function backUpProject(
  folder: string,
  project: ProjectDefinition,
  options: BackupOptions,
): Promise<ProjectBackup> {
  const { place, blobs, leaveOut } = options;
  const path = join(folder, `${project.id}.sqlite`);
  for (let round = 1; ; round += 1) {
    await rm(path, { force: true });
    await place.save(project, path, { leaveOut });
    const snapshot = openSqliteSnapshot(path);
    try {
      const missing = blobs ? await collectFiles(snapshot, blobs, folder) : new Set<string>();
      const gone = await withoutNamed(missing, place, project.id);
      // The next time there is little to copy, and less time for files to go in.
      if (gone.size > 0 && round < MOST_ROUNDS) continue;
      requireWhole(path);
      const files = blobs ? await settleFiles(snapshot, { projectId: project.id, folder, gone }) : null;
      return await describe(snapshot, { project, path, files, leaveOut });
    } finally {
      await snapshot.close();
    }
  }
}

/** Those of some blobs that the database names no more. */
async function withoutNamed(
  keys: ReadonlySet<string>,
  place: DatabaseLocation,
  projectId: string,
): Promise<ReadonlySet<string>> {
  if (keys.size === 0) return keys;
  const gone = new Set(keys);
  const snapshot = await place.snapshot(projectId);
  try {
    for await (const { key } of namedBlobs(snapshot)) gone.delete(key);
  } finally {
    await snapshot.close();
  }
  return gone;
}

interface Described {
  project: ProjectDefinition;
  path: string;
  files: Collected | null;
  leaveOut: readonly string[];
}

async function describe(
  snapshot: Snapshot,
  { project, path, files, leaveOut }: Described,
): Promise<ProjectBackup> {
  return {
    id: project.id,
    database: { bytes: (await stat(path)).size },
    migrations: [...snapshot.ran],
    tables: await sumsOf(snapshot),
    leftOut: [...leaveOut],
    files,
  };
}

/** An empty folder may have been made beforehand. */
async function requireNew(folder: string): Promise<void> {
  const present = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`A backup cannot be made at ${folder}, which is no folder that this account may use.`, {
      cause: error,
    });
  });
  if (present === undefined) return;
  if (present.length > 0) throw new Error(`There is something in ${folder} already: name a new folder.`);
  await rmdir(folder);
}

async function makeUnfinished(folder: string): Promise<string> {
  const unfinished = folder + UNFINISHED_SUFFIX;
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(unfinished, { mode: 0o700 });
    return unfinished;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new Error(`The folder ${dirname(folder)} cannot be written to: name another one with --to.`, {
        cause,
      });
    }
    throw new Error(
      `A backup is being made at ${folder}, or was broken off: if none is under way, remove ${unfinished}.`,
      { cause },
    );
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
