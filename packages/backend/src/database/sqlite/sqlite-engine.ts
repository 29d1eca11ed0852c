import { join } from 'node:path';
import type { Engine } from '../engine.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

/** A file a project, `<folder>/<project id>.sqlite`. */
export function createSqliteEngine(folder: string, options: SqliteOptions = {}): Engine {
  return {
    async open({ id, schema }) {
      const path = join(folder, `${id}.sqlite`);
      try {
        return openSqlite(path, schema, options);
      } catch (cause) {
        throw new Error(`The database ${path} cannot be opened (${(cause as Error).message}).`, { cause });
      }
    },
    close: async () => undefined,
  };
}
