import { join } from 'node:path';
import { authMigrations } from './auth/index.ts';
import type { Database } from './database/database.ts';
import { checkTables, migrateToLatest, openSqlite } from './database/index.ts';
import type { Project } from './http/environment.ts';
import type { Keys } from './keys.ts';
import type { ProjectDefinition } from './project.ts';
import { storageMigrations } from './storage/index.ts';

export interface OpenProjectOptions {
  definition: ProjectDefinition;
  /** Absolute; the project's database is `<dataDir>/<project id>.sqlite`. */
  dataDir: string;
  keys: Keys;
  /** In place of the one that is kept beside the keys. */
  secretKey?: string | undefined;
}

/** Opens a project's database, migrates it and checks that its tables are as they are defined. */
export async function openProject({
  definition,
  dataDir,
  keys,
  secretKey,
}: OpenProjectOptions): Promise<Project> {
  const path = join(dataDir, `${definition.id}.sqlite`);
  const database = open(path);
  try {
    // The services' tables come first: a project's views may look at them.
    await migrateToLatest(database, { ...authMigrations, ...storageMigrations, ...definition.migrations });
    await checkTables(definition, database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { definition, database, secretKey: secretKey ?? (await keys.projectSecret(definition.id)) };
}

function open(path: string): Database {
  try {
    return openSqlite(path);
  } catch (cause) {
    throw new Error(`The database ${path} cannot be opened (${(cause as Error).message}).`, { cause });
  }
}
