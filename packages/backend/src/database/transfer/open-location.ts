import type { Config } from '../../config.ts';
import type { Place } from './location.ts';
import { createPostgresPlace } from './postgres-location.ts';
import { createSqlitePlace } from './sqlite-location.ts';

/** Where the settings say that the projects have their databases. */
export function openPlace({ dataDir, database: { url } }: Pick<Config, 'dataDir' | 'database'>): Place {
  return url === undefined ? createSqlitePlace(dataDir) : createPostgresPlace(url);
}
