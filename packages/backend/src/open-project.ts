import { authMigrations } from './auth/index.ts';
import { checkTables, type Engine, migrateToLatest, schemaOf } from './database/index.ts';
import type { Project } from './http/environment.ts';
import type { Keys } from './keys.ts';
import type { ProjectDefinition } from './project.ts';
import { storageMigrations } from './storage/index.ts';

export interface OpenProjectOptions {
  definition: ProjectDefinition;
  engine: Engine;
  keys: Keys;
  /** In place of the one that is kept beside the keys. */
  secretKey?: string | undefined;
}

/** Opens a project's database, migrates it and checks that its tables are as they are defined. */
export async function openProject({
  definition,
  engine,
  keys,
  secretKey,
}: OpenProjectOptions): Promise<Project> {
  const database = await engine.open({ id: definition.id, schema: schemaOf(definition) });
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
