import type { Config } from '../config.ts';
import type { Engine } from './engine.ts';
import { createSqliteEngine } from './sqlite/sqlite-engine.ts';

/** The engine that the settings name. */
export function createEngine({ dataDir }: Pick<Config, 'dataDir'>): Engine {
  return createSqliteEngine(dataDir);
}
