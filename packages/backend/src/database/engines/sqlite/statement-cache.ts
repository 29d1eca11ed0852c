import type { DatabaseSync, StatementSync } from 'node:sqlite';

const STATEMENTS_KEPT = 500;

export interface PreparedStatement {
  statement: StatementSync;
  /** It answers rows. */
  answersRows: boolean;
}

export type Prepare = (sql: string) => PreparedStatement;

/** Prepares each statement once; the one that was prepared longest ago makes room. */
export function statementCache(connection: DatabaseSync): Prepare {
  const prepared = new Map<string, PreparedStatement>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = connection.prepare(sql);
    const fresh = { statement, answersRows: statement.columns().length > 0 };
    for (const oldest of prepared.keys()) {
      if (prepared.size < STATEMENTS_KEPT) break;
      prepared.delete(oldest);
    }
    prepared.set(sql, fresh);
    return fresh;
  };
}
