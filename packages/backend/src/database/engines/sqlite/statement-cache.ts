import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

const STATEMENTS_KEPT = 500;

export interface PreparedStatement {
  statement: StatementSync;
  /** It answers rows. */
  answersRows: boolean;
}

export type Prepare = (sql: string) => PreparedStatement;

/** Prepares each statement once; the least recently used ones make room. */
export function statementCache(connection: DatabaseSync): Prepare {
  const prepared = new LRUCache<string, PreparedStatement>({ max: STATEMENTS_KEPT });
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = connection.prepare(sql);
    const fresh = { statement, answersRows: statement.columns().length > 0 };
    prepared.set(sql, fresh);
    return fresh;
  };
}
