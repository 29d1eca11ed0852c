import type { MigrationsOf } from '../migrate.ts';
import type { DatabaseLocation } from './location.ts';
import { createPostgresLocation } from './postgres-location.ts';
import { createSqliteLocation } from './sqlite-location.ts';

export interface LocationSettings {
  /** Absolute. */
  dataDir: string;
  /** The PostgreSQL server; without a URL, the databases are files in `dataDir`. */
  database: { url: string | undefined };
}

/** Returns the location of the projects' databases that the settings name. */
export function openLocation(
  { dataDir, database: { url } }: LocationSettings,
  migrationsOf: MigrationsOf,
): DatabaseLocation {
  return url === undefined ? createSqliteLocation(dataDir) : createPostgresLocation(url, migrationsOf);
}
