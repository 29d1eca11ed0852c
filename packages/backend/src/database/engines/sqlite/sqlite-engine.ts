import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../port.ts';
import { openSqlite, type SqliteTimeouts } from './sqlite-database.ts';
import { createSqliteThreads, type SqliteThreads } from './sqlite-threads.ts';

export interface SqliteOptions extends SqliteTimeouts {
  /** Threads that another engine owns and ends; by default, an engine creates its own. */
  threads?: SqliteThreads;
}

/** Creates an engine that keeps each project in a file `<folder>/<project id>.sqlite`. */
export function createSqliteEngine(folder: string, { threads, ...timeouts }: SqliteOptions = {}): Engine {
  const own = threads ?? createSqliteThreads();
  return {
    async open({ id, schema }) {
      const path = join(folder, `${id}.sqlite`);
      try {
        return await openSqlite({ ...timeouts, path, schema, threads: own });
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
