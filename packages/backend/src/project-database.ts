import type { Migration } from 'kysely/migration';
import type { ProjectDefinition } from './core/project.ts';
import { mailMigrations } from './mail/index.ts';
import { aiMigrations } from './services/ai/index.ts';
import { analyticsMigrations } from './services/analytics/index.ts';
import { authMigrations } from './services/auth/index.ts';
import { dataMigrations } from './services/data/index.ts';
import { notificationMigrations } from './services/notifications/index.ts';
import { storageMigrations } from './services/storage/index.ts';

/**
 * All migrations of a project's database, those of the services among them: the services' names begin with digits, so
 * that their tables come first and a project's views may look at them. Throws an Error for a name of the project's own
 * that begins with anything but a letter.
 */
export function migrationsOf({ id, migrations }: ProjectDefinition): Record<string, Migration> {
  const early = Object.keys(migrations).find((name) => !/^[a-z]/i.test(name));
  if (early !== undefined) {
    throw new Error(
      `Project "${id}": the migration "${early}" must have a name that begins with a letter, such as "${id}-${early}".`,
    );
  }
  return {
    ...authMigrations,
    ...storageMigrations,
    ...dataMigrations,
    ...aiMigrations,
    ...mailMigrations,
    ...notificationMigrations,
    ...analyticsMigrations,
    ...migrations,
  };
}
