import type { Migration } from 'kysely/migration';
import { aiMigrations } from './ai/index.ts';
import { analyticsMigrations } from './analytics/index.ts';
import { authMigrations } from './auth/index.ts';
import { dataMigrations } from './data/index.ts';
import { mailMigrations } from './mail/index.ts';
import { notificationMigrations } from './notifications/index.ts';
import type { ProjectDefinition } from './project.ts';
import { storageMigrations } from './storage/index.ts';

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
