import type { RanMigration } from '../../database/migrate.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import type { CommandContext } from '../framework/command.ts';

/** What has run in the project's database, in order; nothing is made where there is none. */
export async function readRan({
  config,
  definition: { id },
}: Pick<CommandContext, 'config' | 'definition'>): Promise<readonly RanMigration[]> {
  const place = openLocation(config, migrationsOf);
  try {
    if (!(await place.has(id))) return [];
    const snapshot = await place.snapshot(id);
    await snapshot.close();
    return snapshot.ran;
  } finally {
    await place.close();
  }
}
