import type { Transaction } from 'kysely';
import type { ProjectDefinition } from '../core/project.ts';
import { checkTables } from './check-tables.ts';
import { type Migrations, type MigrationsOf, migrateToLatest, readRanMigrations } from './migrate.ts';
import type { Database, Engine } from './port.ts';
import { schemaOf } from './schema.ts';

/** A running project: its definition and its open database. */
export interface Project {
  definition: ProjectDefinition;
  database: Database;
  /** `sk_…`: a caller that sends it acts as the service role. */
  secretKey: string;
}

export interface OpenProjectOptions {
  definition: ProjectDefinition;
  engine: Engine;
  migrationsOf: MigrationsOf;
}

/** A project whose secret key is not known yet: the main project's database has the keys of all. */
export type OpenedProject = Omit<Project, 'secretKey'>;

/** Is thrown when a project cannot be opened, with the reason as a sentence. */
export class ProjectError extends Error {
  readonly projectId: string;

  constructor(projectId: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(reason.startsWith('Project "') ? reason : `Project "${projectId}": ${reason}`, { cause });
    this.name = 'ProjectError';
    this.projectId = projectId;
  }
}

/**
 * Opens the database of a project, migrates it, and checks that its tables match the definition. Throws ProjectError
 * when they do not.
 */
export async function openProject({
  definition,
  engine,
  migrationsOf,
}: OpenProjectOptions): Promise<OpenedProject> {
  const database = await engine.open({ id: definition.id, schema: schemaOf(definition) });
  try {
    const migrations = migrationsOf(definition);
    await migrateProject(definition, database, migrations);
    await checkProject(definition, database, migrations);
    return { definition, database };
  } catch (error) {
    await database.close();
    throw new ProjectError(definition.id, error);
  }
}

/** Runs the migrations that a project's database lacks. One that would leave other tables than those of the definition is taken back. */
export function migrateProject(
  definition: ProjectDefinition,
  database: Database,
  migrations: Migrations,
): Promise<string[]> {
  return migrateToLatest(database, migrations, (transaction) =>
    checkProject(definition, database, migrations, transaction),
  );
}

async function checkProject(
  definition: ProjectDefinition,
  database: Database,
  migrations: Migrations,
  transaction?: Transaction<unknown>,
): Promise<void> {
  const ran = await readRanMigrations(transaction ?? database.reader);
  const isNewer = ran.some(({ name }) => !Object.hasOwn(migrations, name));
  await checkTables(definition, database, { isNewer, transaction });
}

/** Opens projects and returns them by id. When one fails, those before it are closed again. */
export async function openProjects(all: readonly OpenProjectOptions[]): Promise<Map<string, OpenedProject>> {
  const projects = new Map<string, OpenedProject>();
  try {
    for (const one of all) projects.set(one.definition.id, await openProject(one));
    return projects;
  } catch (error) {
    for (const { database } of projects.values()) await database.close();
    throw error;
  }
}
