import { createPostgresEngine } from './engines/postgres/postgres-engine.ts';
import { createSqliteEngine } from './engines/sqlite/sqlite-engine.ts';
import type { Engine } from './port.ts';
import type { DatabaseSettings } from './settings.ts';
import { traceEngine } from './trace-engine.ts';

export interface EngineSettings {
  /** Absolute. */
  dataDir: string;
  database: DatabaseSettings;
  observed?: { traceEndpoint: string | undefined };
}

/** Returns the engine that the settings name: a PostgreSQL server, or files of SQLite in the data folder. */
export function createEngine({ dataDir, database, observed }: EngineSettings): Engine {
  const { url, replicaUrl, poolSize } = database;
  const engine =
    url === undefined ? createSqliteEngine(dataDir) : createPostgresEngine({ url, replicaUrl, poolSize });
  return observed?.traceEndpoint === undefined ? engine : traceEngine(engine);
}
