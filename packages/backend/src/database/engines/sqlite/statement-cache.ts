import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

const MAX_STATEMENTS = 500;

export interface PreparedStatement {
  statement: StatementSync;
  /** Whether the statement returns rows. */
  returnsRows: boolean;
}

export type Prepare = (sql: string) => PreparedStatement;

/** Returns a function that prepares statements, and caches the most recently used ones. */
export function statementCache(connection: DatabaseSync): Prepare {
  const cache = new LRUCache<string, PreparedStatement>({ max: MAX_STATEMENTS });
  return (sql) => {
    const cached = cache.get(sql);
    if (cached) return cached;
    const statement = connection.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    cache.set(sql, prepared);
    return prepared;
  };
}
