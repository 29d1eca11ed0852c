import { createPostgresEngine } from './engines/postgres/postgres-engine.ts';
import { createSqliteEngine } from './engines/sqlite/sqlite-engine.ts';
import type { Engine } from './port.ts';
import type { DatabaseSettings } from './settings.ts';

export interface EngineSettings {
  /** Absolute. */
  dataDir: string;
  database: DatabaseSettings;
}

/** Returns the engine that the settings name: a PostgreSQL server, or files of SQLite in the data folder. */
export function createEngine({ dataDir, database }: EngineSettings): Engine {
  const { url, replicaUrl, poolSize } = database;
  return url === undefined
    ? createSqliteEngine(dataDir)
    : createPostgresEngine({ url, replicaUrl, poolSize });
}
