import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProjectDefinition } from '../core/project.ts';
import {
  type DatabaseLocation,
  openSqliteSnapshot,
  type ReportProgress,
  type Snapshot,
  sumsOf,
} from '../database/transfer/index.ts';
import type { BlobStore } from '../services/storage/index.ts';
import { requireIntact } from './check-backup.ts';
import {
  type BackedUpFiles,
  collectFiles,
  INCOMING_FOLDER,
  isDiskFull,
  verifyFiles,
} from './collect-files.ts';
import { linkFiles } from './earlier-backups.ts';
import { writeSums } from './file-sums.ts';
import { KEYS_FOLDER, saveKeys } from './key-files.ts';
import { type Manifest, type ProjectBackup, writeManifest } from './manifest.ts';
import { namedBlobs } from './named-blobs.ts';

/** The ending of a folder that is not a complete backup. */
const UNFINISHED_SUFFIX = '.unfinished';

/** Tells how often the database is read at most, when files were deleted while they were copied. */
const MAX_ROUNDS = 3;

interface BackupOptions {
  projects: readonly ProjectDefinition[];
  location: DatabaseLocation;
  /** Without it, files are not backed up. */
  blobs: BlobStore | undefined;
  dataDir: string;
  /** The folder to create. */
  folder: string;
  /** Tables, views and columns that no migration made, which cannot be copied from PostgreSQL. */
  leaveOut: readonly string[];
  onProgress?: ReportProgress | undefined;
  /** An earlier backup, whose files are not copied once more. */
  earlier?: string | undefined;
  /** The version of Fabrica. */
  version: string;
}

/**
 * Writes projects into a new folder, while other processes may keep writing: each database as it was at one
 * moment, with the files that it names. All of it is read again at the end. After a failure there is no
 * backup; a process that is killed leaves a folder whose name says that it is incomplete.
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
  let madeAt = Date.now();
  if (options.earlier !== undefined && options.blobs) await linkFiles(options.earlier, folder);
  for (const project of options.projects) {
    const { backup, begunAt } = await backUpProject(folder, project, options);
    // Everything that was written before is in the backup.
    madeAt = projects.length === 0 ? begunAt : Math.min(madeAt, begunAt);
    projects.push(backup);
  }
  await rm(join(folder, INCOMING_FOLDER), { recursive: true, force: true });
  await saveKeys(join(options.dataDir, KEYS_FOLDER), join(folder, KEYS_FOLDER), options.projects);
  const sums = await writeSums(folder);
  const { engine } = options.location;
  const manifest: Manifest = {
    fabrica: options.version,
    madeAt: new Date(madeAt).toISOString(),
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
): Promise<{ backup: ProjectBackup; begunAt: number }> {
  const { location, blobs, leaveOut, onProgress } = options;
  const path = join(folder, `${project.id}.sqlite`);
  for (let round = 1; ; round += 1) {
    await rm(path, { force: true });
    const begunAt = Date.now();
    await location.save(project, path, { leaveOut, onProgress });
    const snapshot = openSqliteSnapshot(path);
    try {
      const missing = blobs ? await collectFiles(snapshot, blobs, folder) : new Set<string>();
      const gone = await noLongerNamed(missing, location, project.id);
      // The next round copies little, so files have less time to be deleted.
      if (gone.size > 0 && round < MAX_ROUNDS) continue;
      requireIntact(path);
      const files = blobs ? await verifyFiles(snapshot, { projectId: project.id, folder, gone }) : null;
      return { backup: await describe(snapshot, { project, path, files, leaveOut }), begunAt };
    } finally {
      await snapshot.close();
    }
  }
}

/** Returns the keys that the database no longer names. */
async function noLongerNamed(
  keys: ReadonlySet<string>,
  location: DatabaseLocation,
  projectId: string,
): Promise<ReadonlySet<string>> {
  if (keys.size === 0) return keys;
  const gone = new Set(keys);
  const snapshot = await location.snapshot(projectId);
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
  files: BackedUpFiles | null;
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

/** Throws when there is anything at the folder's path but an empty folder, which is removed. */
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
