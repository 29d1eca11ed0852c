import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../port.ts';
import { openSqlite, type SqliteLimits } from './sqlite-database.ts';
import { createSqliteThreads, type SqliteThreads } from './sqlite-threads.ts';

export interface SqliteOptions extends SqliteLimits {
  /** Those of another engine, which ends them; an engine has its own unless it is given some. */
  threads?: SqliteThreads;
}

/** A file a project, `<folder>/<project id>.sqlite`. */
export function createSqliteEngine(folder: string, { threads, ...limits }: SqliteOptions = {}): Engine {
  const own = threads ?? createSqliteThreads();
  return {
    async open({ id, schema }) {
      const path = join(folder, `${id}.sqlite`);
      try {
        return await openSqlite({ ...limits, path, schema, threads: own });
      } catch (cause) {
        throw new Error(`The database ${path} cannot be opened (${(cause as Error).message}).`, { cause });
      }
    },
    has: async (projectId) => existsSync(join(folder, `${projectId}.sqlite`)),
    async close() {
      if (!threads) await own.end();
    },
  };
}
