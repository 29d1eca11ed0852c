import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';

/**
 * Runs the migrations that this database has not seen, in the order of their names and in one transaction: after a
 * failure, which is thrown with the migration's name, the database is as it was.
 */
export async function migrateToLatest(
  database: Database,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const migrator = new Migrator({
    db: database.writer,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // A service may bring a table of its own to a project whose migrations have run already.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`Migration ${failed ? `"${failed}" ` : ''}failed: ${reason}`, { cause: error });
}
