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
 * Beside the file while it is in use, or after a crash. They are moved before it: SQLite would take what is in them for
 * a part of whichever file it finds there.
 */
const COMPANIONS = ['-wal', '-shm'];

/** Milliseconds that a copy waits for a process that is recovering the file. */
const BUSY_MS = 10_000;

/** `<folder>/<project id>.sqlite` */
export function createSqliteLocation(folder: string, migrationsOf: MigrationsOf): DatabaseLocation {
  const locate = (projectId: string) => join(folder, `${projectId}.sqlite`);

  async function stageIn(
    { id }: ProjectDefinition,
    make: (path: string) => Promise<TableSum[]>,
  ): Promise<Staged> {
    const staging = join(folder, `.arriving-${id}`);
    const path = join(staging, `${id}.sqlite`);
    const discard = () => rm(staging, { recursive: true, force: true });
    // What a crash has left is of no use to anybody.
    await discard();
    await mkdir(staging, { recursive: true });
    try {
      const sums = await make(path);
      await syncFile(path);
      const commit = async (aside?: string) => {
        const kept = await putAside(locate(id), aside);
        await rename(path, locate(id));
        await syncFile(folder);
        await discard();
        return kept;
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
    stage: (project, from, options) =>
      stageIn(project, (path) => makeSqlite(project, from, { ...options, path, migrationsOf })),
    stageFile: (project, source) =>
      stageIn(project, async (path) => {
        await copyFile(source, path);
        return readSums(path);
      }),
    close: async () => undefined,
  };
}

/** A new file with the tables that the migrations make and the rows of another database. */
export async function makeSqlite(
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

/** Reads at one moment of the source, however long it takes and whoever writes meanwhile. */
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

/** Answers where the present file is from now on; undefined when there is none. Throws when it may not be moved. */
async function putAside(path: string, aside: string | undefined): Promise<string | undefined> {
  if (!existsSync(path)) {
    // Somebody removed the file alone: what lay beside it is of no use, and would harm another one.
    for (const ending of COMPANIONS) await rm(path + ending, { force: true });
    return undefined;
  }
  if (aside === undefined) throw new Error(`There is a database ${path} by now.`);
  const kept = path.replace(/\.sqlite$/, `.${aside}.sqlite`);
  for (const ending of [...COMPANIONS, '']) {
    if (existsSync(path + ending)) await rename(path + ending, kept + ending);
  }
  return kept;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
