import { appendFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

/**
 * Writes each statement of a server's process, with its parameters, into the file that RECORDED_STATEMENTS names: a line of JSON each.
 * A server loads this module before its own (`node --import`), and so do its threads.
 */
const file = process.env.RECORDED_STATEMENTS;

/** A statement as it was sent. */
export interface RecordedStatement {
  sql: string;
  parameters: unknown[];
  /** The file of the database; undefined on PostgreSQL. */
  path?: string | undefined;
}

function record(statement: RecordedStatement): void {
  if (file) appendFileSync(file, `${JSON.stringify(statement)}\n`);
}

if (file) {
  recordSqlite();
  recordPostgres();
}

function recordSqlite(): void {
  const prepared = new WeakMap<StatementSync, Pick<RecordedStatement, 'sql' | 'path'>>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest);
    prepared.set(statement, { sql, path: this.location() ?? undefined });
    return statement;
  };
  const prototype = StatementSync.prototype as unknown as Record<string, (...values: unknown[]) => unknown>;
  for (const name of ['all', 'get', 'iterate', 'run']) {
    const original = prototype[name];
    prototype[name] = function (this: StatementSync, ...parameters) {
      const known = prepared.get(this);
      if (known) record({ ...known, parameters });
      return original?.apply(this, parameters);
    };
  }
}

function recordPostgres(): void {
  const prototype = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...given) {
    const [statement] = given as [string | { text?: string; values?: unknown[] }];
    if (typeof statement === 'string') record({ sql: statement, parameters: [] });
    else if (statement.text !== undefined)
      record({ sql: statement.text, parameters: [...(statement.values ?? [])] });
    return query.apply(this, given);
  };
}
