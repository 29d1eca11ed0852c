import type { ProjectDefinition } from '../core/project.ts';
import { checkTables } from './check-tables.ts';
import { type MigrationsOf, migrateToLatest, readRanMigrations } from './migrate.ts';
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
    await migrateToLatest(database, migrations);
    const ran = await readRanMigrations(database.reader);
    const isNewer = ran.some(({ name }) => !Object.hasOwn(migrations, name));
    await checkTables(definition, database, { isNewer });
    return { definition, database };
  } catch (error) {
    await database.close();
    throw new ProjectError(definition.id, error);
  }
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
