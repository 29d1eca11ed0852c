import { guardOf } from '../../backup/index.ts';
import type { Config } from '../../config.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import { createEngine, type Database, migrateProject, schemaOf } from '../../database/index.ts';
import type { RanMigration } from '../../database/migrate.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { CommandError } from '../program/command-error.ts';
import type { CommandContext } from '../program/context.ts';

/** Returns the migrations that have run in the project's database, in order. Creates no database. */
export async function readRan({
  config,
  definition: { id },
}: Pick<CommandContext, 'config' | 'definition'>): Promise<readonly RanMigration[]> {
  const location = openLocation(config, migrationsOf);
  try {
    if (!(await location.has(id))) return [];
    const snapshot = await location.snapshot(id);
    await snapshot.close();
    return snapshot.ran;
  } finally {
    await location.close();
  }
}

/** Runs `act` with the project's database, without migrating it. */
export async function withDatabase<T>(
  { config, definition }: Pick<CommandContext, 'config' | 'definition'>,
  act: (database: Database) => Promise<T>,
): Promise<T> {
  const engine = createEngine(config);
  try {
    const database = await engine.open({ id: definition.id, schema: schemaOf(definition) });
    try {
      return await act(database);
    } finally {
      await database.close();
    }
  } finally {
    await engine.close();
  }
}

/** Runs `act` while no other process uses the data. Throws when one does. */
export async function lockedAlone<T>(config: Config, act: () => Promise<T>): Promise<T> {
  const lock = await guardOf(config).lockExclusive();
  if (!lock) throw new CommandError('Fabrica is running on this data, or a command is: stop it first.');
  try {
    return await act();
  } finally {
    await lock.release();
  }
}

/** Runs the pending migrations of projects. Returns their names, as a value and in a sentence. */
export async function runPending(
  config: Config,
  definitions: readonly ProjectDefinition[],
): Promise<[{ ran: string[] }, string]> {
  const lock = await guardOf(config).lockShared();
  try {
    const ran: string[] = [];
    for (const definition of definitions) {
      const migrations = migrationsOf(definition);
      const migrateOne = (database: Database) => migrateProject(definition, database, migrations);
      ran.push(...(await withDatabase({ config, definition }, migrateOne)));
    }
    return [{ ran }, ran.length === 0 ? 'There was nothing to run.' : `Ran ${ran.join(', ')}.`];
  } finally {
    await lock.release();
  }
}
