import type { Config } from '../../config.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import { VERSION } from '../../core/version.ts';
import { compatibilityOn } from '../../database/compatible-migrations.ts';
import { inspectServer } from '../../database/index.ts';
import { findLockedTables, type LockedTable } from '../../database/locked-tables.ts';
import { migrationStates } from '../../database/migrate.ts';
import { migrationsOf } from '../../project-database.ts';
import { CommandError } from '../program/command-error.ts';
import { presentTable } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { readRan, runPending } from './database.ts';

const TIMEOUT_MS = 3_000;

interface PlannedMigration {
  project: string;
  name: string;
  /** The tables whose requests wait for a moment; null when that cannot be told. */
  locks: LockedTable[] | null;
  inSteps: boolean;
  /** Whether nodes of the version before go on, and may be started again. */
  olderNodes: 'go on' | 'stop';
}

/** The versions of the nodes that are connected to PostgreSQL, and the connections that keep tables locked. */
interface Others {
  versions: string[];
  longTransactions: number;
}

export function upgradeCommand({ command, run }: Cli): void {
  command('upgrade', 'Runs the pending migrations of all projects while older nodes serve.')
    .option('--check', 'Tells the plan, and changes nothing.')
    .option('--stop', 'Runs migrations that older nodes do not go on with: they are stopped.')
    .addHelpText(
      'after',
      `
Run it with the new version, before its first node starts. The plan names each pending migration, the tables that requests wait for
meanwhile (less than a second on PostgreSQL: a migration that does not get its lock in 0.3 s lets others pass and tries again), and whether nodes
of the version before go on.`,
    )
    .action(
      run(async ({ config, definitions, show }, { check, stop }) => {
        const pending = await planOf(config, definitions);
        const others = await lookAtOthers(config);
        if (check) return show({ version: VERSION, pending, ...others }, present(pending, others));
        const stopping = pending.filter(({ olderNodes }) => olderNodes === 'stop');
        if (stopping.length > 0 && !stop && others.versions.length > 0) {
          const names = stopping.map(({ name }) => name).join(', ');
          throw new CommandError(
            `Older nodes do not go on after ${names}: stop them, then say --stop. Nothing was changed.`,
          );
        }
        show(...(await runPending(config, definitions)));
      }),
    );
}

async function planOf(
  config: Config,
  definitions: readonly ProjectDefinition[],
): Promise<PlannedMigration[]> {
  const planned: PlannedMigration[] = [];
  const engine = config.database.url === undefined ? 'sqlite' : 'postgres';
  for (const definition of definitions) {
    const migrations = migrationsOf(definition);
    const ran = await readRan({ config, definition });
    const isEmpty = ran.length === 0;
    const pending = migrationStates(ran, migrations).flatMap(({ name, ranAt }) => {
      const migration = migrations[name];
      return ranAt === null && migration ? [[name, migration] as const] : [];
    });
    const locked = await findLockedTables(pending.map(([name, migration]) => [name, migration]));
    for (const [name, migration] of pending) {
      planned.push({
        project: definition.id,
        name,
        locks: isEmpty ? [] : (locked.get(name) ?? null),
        inSteps: migration.fill !== undefined,
        olderNodes: isEmpty || compatibilityOn(engine, migration) !== undefined ? 'go on' : 'stop',
      });
    }
  }
  return planned;
}

async function lookAtOthers({ database: { url } }: Config): Promise<Others> {
  if (url === undefined) return { versions: [], longTransactions: 0 };
  const { versions, longTransactions } = await inspectServer(url, TIMEOUT_MS);
  return { versions, longTransactions };
}

function present(pending: readonly PlannedMigration[], { versions, longTransactions }: Others): string {
  const lines = [`This is Fabrica ${VERSION}. Connected: ${versions.join(', ') || 'no node'}.`];
  if (longTransactions > 0) {
    lines.push(
      `${longTransactions} connections have had a transaction open for more than 10 s, perhaps a backup: migrations wait for them.`,
    );
  }
  if (pending.length === 0)
    return [...lines, 'No migration is pending: nodes may be replaced one by one.'].join('\n');
  const rows = pending.map(({ project, name, olderNodes, ...one }) => [
    project,
    name,
    waitsOf(one),
    olderNodes,
  ]);
  lines.push('', presentTable(['PROJECT', 'PENDING', 'WAIT FOR A MOMENT', 'OLDER NODES'], rows), '');
  const stops = pending.some(({ olderNodes }) => olderNodes === 'stop');
  return [
    ...lines,
    stops
      ? 'Stop all older nodes before the first new one starts.'
      : 'Nodes may be replaced one by one, and back again.',
  ].join('\n');
}

function waitsOf({ locks, inSteps }: Pick<PlannedMigration, 'locks' | 'inSteps'>): string {
  if (inSteps) return 'nothing: some rows at a time';
  if (locks === null) return 'cannot be told';
  if (locks.length === 0) return 'nothing';
  return locks.map(({ table, waits }) => `${waits === 'all' ? '' : 'writes of '}${table}`).join(', ');
}
