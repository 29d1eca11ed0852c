import type { Config } from '../config.ts';
import { createPostgresEngine } from './engines/postgres/postgres-engine.ts';
import { createSqliteEngine } from './engines/sqlite/sqlite-engine.ts';
import type { Engine } from './port.ts';

/** The engine that the settings name. */
export function createEngine({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): Engine {
  const { url, replicaUrl, poolSize } = database;
  return url === undefined
    ? createSqliteEngine(dataDir)
    : createPostgresEngine({ url, replicaUrl, poolSize });
}
