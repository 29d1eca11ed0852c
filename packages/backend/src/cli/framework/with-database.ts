import { createEngine, type Database, schemaOf } from '../../database/index.ts';
import type { CommandContext } from './command.ts';

/** Works with the project's database as it is: nothing is migrated. */
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
