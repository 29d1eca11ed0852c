import { createEngine, type Database, schemaOf } from '../../database/index.ts';
import type { RanMigration } from '../../database/migrate.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import type { CommandContext } from '../framework/command.ts';

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
