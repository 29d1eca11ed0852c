import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ProjectDefinition } from '../../core/project.ts';
import { createSqliteEngine } from '../engines/sqlite/sqlite-engine.ts';
import { type MigrationsOf, migrateToLatest, pickMigrations } from '../migrate.ts';
import { schemaOf } from '../schema.ts';
import type { TableSum } from './canonical-row.ts';
import type { DatabaseLocation, Staged } from './location.ts';
import type { Snapshot } from './snapshot.ts';
import { openSqliteSnapshot } from './sqlite-snapshot.ts';
import { openSqliteTarget } from './sqlite-target.ts';
import { sumsOf, type TransferOptions, transferRows } from './transfer-rows.ts';

/**
 * Suffixes of the files that SQLite keeps beside a file in use, and after a crash. They are renamed before the file:
 * otherwise SQLite would read them as a part of another file of that name.
 */
const COMPANIONS = ['-wal', '-shm'];

/** Milliseconds that a backup waits for a process that is recovering the file. */
const BUSY_MS = 10_000;

/** Returns the location in a folder, where each project has a file `<project id>.sqlite`. */
export function createSqliteLocation(folder: string): DatabaseLocation {
  const locate = (projectId: string) => join(folder, `${projectId}.sqlite`);

  async function stageFile({ id }: ProjectDefinition, source: string): Promise<Staged> {
    const staging = join(folder, `.arriving-${id}`);
    const path = join(staging, `${id}.sqlite`);
    const discard = () => rm(staging, { recursive: true, force: true });
    // A crash may have left an incomplete file.
    await discard();
    await mkdir(staging, { recursive: true });
    try {
      await copyFile(source, path);
      const sums = await readSums(path);
      await syncFile(path);
      const commit = async (aside?: string) => {
        const asidePath = await moveAside(locate(id), aside);
        await rename(path, locate(id));
        await syncFile(folder);
        await discard();
        return asidePath;
      };
      return { sums, commit, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  return {
    engine: 'sqlite',
    carriesEverything: true,
    name: `the folder ${folder}`,
    has: async (projectId) => existsSync(locate(projectId)),
    snapshot: async (projectId) => openSqliteSnapshot(locate(projectId)),
    save: async ({ id }, path) => vacuumInto(locate(id), path),
    stageFile,
    close: async () => undefined,
  };
}

/** Creates a file with the tables of the migrations and the rows of another database. */
export async function createSqliteCopy(
  project: ProjectDefinition,
  from: Snapshot,
  { path, migrationsOf, ...options }: TransferOptions & { path: string; migrationsOf: MigrationsOf },
): Promise<TableSum[]> {
  const migrations = pickMigrations(migrationsOf(project), from.ran);
  const engine = createSqliteEngine(dirname(path));
  const database = await engine.open({ id: project.id, schema: schemaOf(project) });
  try {
    await migrateToLatest(database, migrations);
  } finally {
    await database.close();
    await engine.close();
  }
  const target = openSqliteTarget(path);
  try {
    return await transferRows(from, target, options);
  } finally {
    target.close();
  }
}

/** Writes a snapshot of the source into a new file. */
function vacuumInto(source: string, path: string): void {
  const connection = new DatabaseSync(source, { readOnly: true, timeout: BUSY_MS });
  try {
    connection.prepare('VACUUM INTO ?').run(path);
  } finally {
    connection.close();
  }
}

async function readSums(path: string): Promise<TableSum[]> {
  const snapshot = openSqliteSnapshot(path);
  try {
    return await sumsOf(snapshot);
  } finally {
    await snapshot.close();
  }
}

/** Renames the present file and returns its new path; undefined when there is none. Throws when it may not be renamed. */
async function moveAside(path: string, aside: string | undefined): Promise<string | undefined> {
  if (!existsSync(path)) {
    // The file was removed without its companions, which would corrupt another file of this name.
    for (const suffix of COMPANIONS) await rm(path + suffix, { force: true });
    return undefined;
  }
  if (aside === undefined) throw new Error(`There is a database ${path} by now.`);
  const asidePath = path.replace(/\.sqlite$/, `.${aside}.sqlite`);
  for (const suffix of [...COMPANIONS, '']) {
    if (existsSync(path + suffix)) await rename(path + suffix, asidePath + suffix);
  }
  return asidePath;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
