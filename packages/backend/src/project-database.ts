import type { Migration, ProjectDefinition } from './core/project.ts';
import { validateProject } from './core/validate-project.ts';
import {
  backupMigrations,
  backupTables,
  keyMigrations,
  keyTables,
  migrationTables,
  writeMigrations,
  writeTables,
} from './database/index.ts';
import { mailMigrations, mailTables } from './mail/index.ts';
import { aiMigrations, aiTables } from './services/ai/index.ts';
import { analyticsMigrations, analyticsTables } from './services/analytics/index.ts';
import { authMigrations, authTables } from './services/auth/index.ts';
import { dataMigrations, dataTables } from './services/data/index.ts';
import { notificationMigrations, notificationTables } from './services/notifications/index.ts';
import { realtimeMigrations, realtimeTables } from './services/realtime/index.ts';
import { storageMigrations, storageTables } from './services/storage/index.ts';

/** The tables of the services themselves, in every project's database: no policy opens them. */
export const serviceTables: readonly string[] = [
  ...migrationTables,
  ...writeTables,
  ...keyTables,
  ...backupTables,
  ...authTables,
  ...storageTables,
  ...dataTables,
  ...aiTables,
  ...mailTables,
  ...realtimeTables,
  ...notificationTables,
  ...analyticsTables,
];

/** Returns a project's definition once it is checked. Throws an Error that names the fault. */
export function defineProject(definition: ProjectDefinition): ProjectDefinition {
  return validateProject(definition, serviceTables);
}

/**
 * Returns all migrations of a project's database, those of the services among them: the services' names begin with
 * digits, so that their tables come first and a project's views may look at them. Throws an Error for a name of the
 * project's own that begins with anything but a letter.
 */
export function migrationsOf({ id, migrations }: ProjectDefinition): Record<string, Migration> {
  const early = Object.keys(migrations).find((name) => !/^[a-z]/i.test(name));
  if (early !== undefined) {
    throw new Error(
      `Project "${id}": the migration "${early}" must have a name that begins with a letter, such as "${id}-${early}".`,
    );
  }
  return {
    ...writeMigrations,
    ...keyMigrations,
    ...backupMigrations,
    ...authMigrations,
    ...storageMigrations,
    ...dataMigrations,
    ...aiMigrations,
    ...mailMigrations,
    ...realtimeMigrations,
    ...notificationMigrations,
    ...analyticsMigrations,
    ...migrations,
  };
}
