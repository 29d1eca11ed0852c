import { resolve } from 'node:path';
import {
  type DataGuard,
  type DataLock,
  folderGuard,
  guardOf,
  isDiskFull,
  postgresGuard,
} from '../../backup/index.ts';
import type { Config } from '../../config.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import { databaseSettings } from '../../database/index.ts';
import {
  createPostgresLocation,
  createSqliteLocation,
  type DatabaseLocation,
  openLocation,
  type Staged,
} from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { defineCommand } from '../framework/command.ts';
import { CommandError, usageError } from '../framework/command-error.ts';
import { parseNames } from '../framework/parse-values.ts';
import { presentTable } from '../framework/present.ts';
import type { Terminal } from '../framework/terminal.ts';
import { chooseProjects } from './projects.ts';

const PROGRESS_EVERY_MS = 2_000;

export const copyCommand = defineCommand({
  name: 'copy',
  arguments: [],
  options: {
    to: { value: '<url>', description: 'postgres://… or sqlite:<folder>, without data of these projects.' },
    'leave-out': {
      value: '<names>',
      description: 'Tables, views and columns (table.column) that no migration made.',
    },
  },
  summary: 'Copies the databases to PostgreSQL, or from there to SQLite.',
  details: `Copies all projects, or the one of --project: each as it is at one moment. At the end every table is read again, and its
rows and checksum are compared. The databases that Fabrica uses do not change; files are not copied. Put the
password into PGPASSWORD instead of the URL to keep it out of the list of processes.`,
  async run(call) {
    const { config, options, terminal, json } = call;
    const target = openTarget(options.to, config);
    const from = openLocation(config, migrationsOf);
    const source = await lockSource(config);
    try {
      const targetLock = await lockTarget(target, { source, config });
      try {
        const projects = await chooseProjects(from, call);
        const leaveOut = parseNames(options['leave-out']);
        const copied = await copyAll(projects, { from, to: target.location, leaveOut, terminal });
        terminal.print(json ? JSON.stringify({ projects: copied }, null, 2) : present(copied, target));
        if (!source.alone) terminal.note(STILL_RUNNING);
      } finally {
        await targetLock?.release();
      }
    } finally {
      await source.lock.release();
      await from.close();
      await target.location.close();
    }
  },
});

const STILL_RUNNING =
  'Fabrica was running meanwhile: what it writes from now on is not in the copy. To move, stop it first.';

interface Target {
  location: DatabaseLocation;
  guard: DataGuard;
  /** `undefined` for PostgreSQL. */
  folder: string | undefined;
  /** The operator's next step. */
  next: string;
}

function openTarget(to: string | undefined, { dataDir }: Config): Target {
  if (to && databaseSettings.DATABASE_URL.safeParse(to).success) {
    const next =
      'Start Fabrica with that address in DATABASE_URL; DATA_DIR stays as it is, for files and keys.';
    return {
      location: createPostgresLocation(to, migrationsOf),
      guard: postgresGuard(to),
      folder: undefined,
      next,
    };
  }
  if (!to?.startsWith('sqlite:') || to === 'sqlite:') {
    throw usageError('Say where the databases are to be: --to postgres://…, or --to sqlite:<folder>.');
  }
  const folder = resolve(to.slice('sqlite:'.length));
  const elsewhere = ` and with DATA_DIR=${folder}, once files and keys are there as well`;
  const next = `Start Fabrica without DATABASE_URL${folder === dataDir ? '' : elsewhere}.`;
  return { location: createSqliteLocation(folder, migrationsOf), guard: folderGuard(folder), folder, next };
}

interface LockedSource {
  lock: DataLock;
  /** Whether no other process uses the source. */
  alone: boolean;
}

async function lockSource(config: Config): Promise<LockedSource> {
  const guard = guardOf(config);
  const lock = await guard.lockExclusive();
  return lock ? { lock, alone: true } : { lock: await guard.lockShared(), alone: false };
}

/** Locks the target, which may be the data folder itself on the way back from PostgreSQL. */
async function lockTarget(
  { folder, guard, location }: Target,
  { source, config }: { source: LockedSource; config: Config },
): Promise<DataLock | undefined> {
  if (folder === config.dataDir && source.alone) return undefined;
  const lock = folder === config.dataDir ? undefined : await guard.lockExclusive();
  if (!lock)
    throw new CommandError(`Fabrica is running on ${location.name}, or a command is: stop it first.`);
  return lock;
}

interface Copying {
  from: DatabaseLocation;
  to: DatabaseLocation;
  leaveOut: readonly string[];
  terminal: Terminal;
}

interface CopiedProject {
  id: string;
  tables: Staged['sums'];
}

/** Copies every project before the first copy is put in its place. */
async function copyAll(
  projects: readonly ProjectDefinition[],
  { from, to, leaveOut, terminal }: Copying,
): Promise<CopiedProject[]> {
  for (const { id } of projects) {
    if (await to.has(id))
      throw new CommandError(`There is a database of project "${id}" in ${to.name} already.`);
  }
  const staged: Staged[] = [];
  const copied: CopiedProject[] = [];
  try {
    for (const project of projects) {
      const onProgress = reportTo(terminal, project.id);
      const one = await copyOne(project, { from, to }, { leaveOut, onProgress });
      staged.push(one);
      copied.push({ id: project.id, tables: one.sums });
    }
    for (const one of staged) await one.commit();
    return copied;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new CommandError(`There is not enough room for the copy in ${to.name}: nothing was kept of it.`);
  } finally {
    for (const one of staged) await one.discard();
  }
}

async function copyOne(
  project: ProjectDefinition,
  { from, to }: Pick<Copying, 'from' | 'to'>,
  options: Parameters<DatabaseLocation['stage']>[2],
): Promise<Staged> {
  const snapshot = await from.snapshot(project.id);
  try {
    return await to.stage(project, snapshot, options);
  } finally {
    await snapshot.close();
  }
}

/** Returns a function that reports the progress now and then, when there is a person at the terminal. */
function reportTo(terminal: Terminal, projectId: string): (table: string, rows: number) => void {
  let reportedAt = performance.now();
  return (table, rows) => {
    if (!terminal.interactive || performance.now() - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = performance.now();
    terminal.note(`${projectId}: ${rows} rows of ${table} …`);
  };
}

function present(copied: readonly CopiedProject[], { location, next }: Target): string {
  const rows = copied.flatMap(({ id, tables }) =>
    tables.map(({ table, rows, sha256 }) => [id, table, rows, sha256.slice(0, 16)]),
  );
  const table = presentTable(['PROJECT', 'TABLE', 'ROWS', 'CHECKSUM'], rows);
  return `${table}\n\nCopied to ${location.name}: all rows and checksums are the same there.\n${next}`;
}
