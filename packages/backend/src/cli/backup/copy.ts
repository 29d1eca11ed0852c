import { resolve } from 'node:path';
import {
  folderGuard,
  type Guard,
  guardOf,
  type Hold,
  isDiskFull,
  postgresGuard,
} from '../../backup/index.ts';
import type { Config } from '../../config.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import {
  createPostgresLocation,
  createSqliteLocation,
  type DatabaseLocation,
  openLocation,
  type Staged,
} from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { chooseProjects } from '../framework/choose-projects.ts';
import { defineCommand } from '../framework/command.ts';
import { CommandError, usageError } from '../framework/command-error.ts';
import { parseNames } from '../framework/parse-names.ts';
import { presentTable } from '../framework/present-table.ts';
import type { Terminal } from '../framework/terminal.ts';

const PROGRESS_EVERY_MS = 2_000;

export const copyCommand = defineCommand({
  name: 'copy',
  arguments: [],
  options: {
    to: { value: '<address>', description: 'postgres://… or sqlite:<folder>, where there is nothing yet.' },
    'leave-out': {
      value: '<names>',
      description: 'Tables, views and columns (table.column) that no migration made, and that stay behind.',
    },
  },
  summary: 'Copies the databases to PostgreSQL, or from there into files of SQLite.',
  details: `All projects, or the one of --project: each as it is at one moment. At the end every table is read again and its rows and
checksum compared. The databases that Fabrica uses stay as they are; files and keys stay where they are. The password of
the address may stand in PGPASSWORD instead, where no list of processes shows it.`,
  async run(call) {
    const { config, options, terminal, json } = call;
    const target = openTarget(options.to, config);
    const from = openLocation(config, migrationsOf);
    const source = await holdSource(config);
    try {
      const targetHold = await holdTarget(target, { source, config });
      try {
        const projects = await chooseProjects(from, call);
        const leaveOut = parseNames(options['leave-out']);
        const copied = await copyAll(projects, { from, to: target.place, leaveOut, terminal });
        terminal.print(json ? JSON.stringify({ projects: copied }, null, 2) : present(copied, target));
        if (!source.alone) terminal.note(STILL_RUNNING);
      } finally {
        await targetHold?.release();
      }
    } finally {
      await source.hold.release();
      await from.close();
      await target.place.close();
    }
  },
});

const STILL_RUNNING =
  'Fabrica was running meanwhile: what it writes from now on is not in the copy. To move, stop it first.';

interface Target {
  place: DatabaseLocation;
  guard: Guard;
  /** Undefined for PostgreSQL. */
  folder: string | undefined;
  /** What is to be done next. */
  next: string;
}

function openTarget(to: string | undefined, { dataDir }: Config): Target {
  if (to && /^postgres(ql)?:\/\//.test(to) && URL.canParse(to)) {
    const next =
      'Start Fabrica with that address in DATABASE_URL; DATA_DIR stays as it is, for files and keys.';
    return {
      place: createPostgresLocation(to, migrationsOf),
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
  return { place: createSqliteLocation(folder, migrationsOf), guard: folderGuard(folder), folder, next };
}

interface HeldSource {
  hold: Hold;
  /** Nobody else works with it. */
  alone: boolean;
}

async function holdSource(config: Config): Promise<HeldSource> {
  const guard = guardOf(config);
  const hold = await guard.take();
  return hold ? { hold, alone: true } : { hold: await guard.share(), alone: false };
}

/** The target may be in the data folder itself, where PostgreSQL's databases come home to. */
async function holdTarget(
  { folder, guard, place }: Target,
  { source, config }: { source: HeldSource; config: Config },
): Promise<Hold | undefined> {
  if (folder === config.dataDir && source.alone) return undefined;
  const hold = folder === config.dataDir ? undefined : await guard.take();
  if (!hold) throw new CommandError(`Fabrica is running on ${place.name}, or a command is: stop it first.`);
  return hold;
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

/** All of them are ready before the first one is in its place. */
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

/** Says now and then how far it is, to a person who waits. */
function reportTo(terminal: Terminal, projectId: string): (table: string, rows: number) => void {
  let saidAt = performance.now();
  return (table, rows) => {
    if (!terminal.interactive || performance.now() - saidAt < PROGRESS_EVERY_MS) return;
    saidAt = performance.now();
    terminal.note(`${projectId}: ${rows} rows of ${table} …`);
  };
}

function present(copied: readonly CopiedProject[], { place, next }: Target): string {
  const rows = copied.flatMap(({ id, tables }) =>
    tables.map(({ table, rows, sha256 }) => [id, table, rows, sha256.slice(0, 16)]),
  );
  const table = presentTable(['PROJECT', 'TABLE', 'ROWS', 'CHECKSUM'], rows);
  return `${table}\n\nCopied to ${place.name}: all rows and checksums are the same there.\n${next}`;
}
