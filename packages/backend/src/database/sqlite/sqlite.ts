import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import type { Row } from '../../bus.ts';
import type { Scalar } from '../../filter.ts';
import { ServiceError } from '../../http/errors.ts';
import type { Cascade, Database, EngineColumn, Syntax, Violation } from '../database.ts';
import { likeToGlob, matchesIgnoringCase } from '../like.ts';
import type { Schema } from '../schema.ts';
import { refusal, statementRunner } from '../transaction.ts';
import { runPlan } from '../write-plan.ts';
import { createStatementLimits, type StatementLimits } from './statement-limits.ts';
import { strictTables } from './strict-tables.ts';

/** Of a project's file, as far as it is read. */
const MAPPED_BYTES = 1024 ** 3;
const STATEMENTS_KEPT = 500;

/** How late a commit of another process may be noticed. */
const OTHERS_NOTICED_MS = 20;

/** SQLite's extended result codes. */
const VIOLATIONS: Readonly<Record<number, Violation>> = {
  275: 'check',
  787: 'foreign-key',
  1299: 'not-null',
  1555: 'unique',
  2067: 'unique',
  3091: 'check',
};

const SQLITE_FULL = 13;

const syntax: Syntax = {
  placeholder: () => '?',
  // SQLite's LIKE is blind to the case of ASCII letters and to no other: GLOB looks at all of them …
  like: (expression, pattern, bind) => inTime(`${expression} GLOB ${bind(likeToGlob(pattern))}`),
  // … and a pattern with letters beyond ASCII needs a comparison of our own.
  ilike: (expression, pattern, bind) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
    /^[\x00-\x7f]*$/.test(pattern)
      ? inTime(`${expression} LIKE ${bind(pattern)} ESCAPE '\\'`)
      : `matches_ignoring_case(${expression}, ${bind(pattern)})`,
  jsonObject: (members) =>
    `json_object(${members.map(([name, expression]) => `'${name.replaceAll("'", "''")}', ${expression}`).join(', ')})`,
  // There is one writer.
  lockRows: '',
};

/** Some patterns go over a long text a hundred times. */
function inTime(condition: string): string {
  return `(within_time() AND ${condition})`;
}

export interface SqliteOptions {
  /** Milliseconds that one statement may look at texts for. */
  longestStatement?: number;
}

/** Opens (or makes) the file; commits are on the disk before they are answered. */
export function openSqlite(path: string, schema: Schema, { longestStatement }: SqliteOptions = {}): Database {
  const limits = createStatementLimits(longestStatement);
  const writer = connect(path, limits);
  const reader = connect(path, limits, { readOnly: true });
  const prepareRead = statementCache(reader);
  const foreignCommits = foreignCommitsOf(writer);
  let written = 0;
  const reading = new Kysely<unknown>({
    dialect: dialectOn(reader, { prepare: prepareRead, begin: limits.begin, ran: () => undefined }),
  });
  const ran = () => {
    written += 1;
  };
  const writing = new Kysely<unknown>({
    dialect: dialectOn(writer, { prepare: statementCache(writer), begin: limits.begin, ran }),
    plugins: [strictTables()],
  });
  return {
    engine: 'sqlite',
    reader: reading,
    writer: writing,
    syntax,
    query(sql, parameters) {
      limits.begin();
      return prepareRead(sql).all(...(parameters as SQLInputValue[])) as Row[];
    },
    values(sql, parameters) {
      limits.begin();
      const statement = prepareRead(sql);
      statement.setReturnArrays(true);
      try {
        return statement.all(...(parameters as SQLInputValue[])) as unknown as Scalar[][];
      } finally {
        statement.setReturnArrays(false);
      }
    },
    async write(plan) {
      try {
        return await writing
          .transaction()
          .execute((transaction) => runPlan(plan, { schema, syntax, run: statementRunner(transaction) }));
      } catch (error) {
        const violation = violationOf(error);
        throw violation ? refusal(violation, error) : error;
      }
    },
    version: () => foreignCommits() + written,
    foreignCommits,
    columns: async (table) => describe(reader, table),
    cascades: async (tables) => tables.flatMap((table) => cascadesOf(reader, table)),
    violation: violationOf,
    async close() {
      await reading.destroy();
      await writing.destroy();
      // Kysely closes a connection only if it was ever used.
      for (const connection of [reader, writer]) if (connection.isOpen) connection.close();
    },
  };
}

function connect(path: string, limits: StatementLimits, { readOnly = false } = {}): DatabaseSync {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000, readOnly });
  if (!readOnly) connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  connection.exec('PRAGMA temp_store = MEMORY;');
  // Rows with long texts fill a page each: read in place, a list of them costs a third.
  if (readOnly) connection.exec(`PRAGMA mmap_size = ${MAPPED_BYTES};`);
  connection.function('within_time', limits.withinTime);
  connection.function('matches_ignoring_case', { deterministic: true }, (text, pattern) => {
    if (text === null || pattern === null) return null;
    limits.withinText(String(text).length);
    return matchesIgnoringCase(String(text), String(pattern)) ? 1 : 0;
  });
  return connection;
}

type Prepare = (sql: string) => StatementSync;

/** Prepares each statement once; the one that has waited longest makes room. */
function statementCache(connection: DatabaseSync): Prepare {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= STATEMENTS_KEPT) {
      for (const oldest of prepared.keys()) {
        prepared.delete(oldest);
        break;
      }
    }
    const statement = connection.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

/** DDL is transactional in SQLite, whatever Kysely assumes of it: a migration that fails leaves nothing behind. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): TransactionalAdapter {
    return new TransactionalAdapter();
  }
}

interface Statements {
  prepare: Prepare;
  /** Called before every statement. */
  begin(): void;
  /** Called after every statement. */
  ran(): void;
}

/** node:sqlite in the shape that Kysely's dialect expects. */
function dialectOn(connection: DatabaseSync, { prepare, begin, ran }: Statements): NodeSqliteDialect {
  const run = <T>(statement: () => T): T => {
    begin();
    try {
      return statement();
    } catch (error) {
      throw errorCode(error) === SQLITE_FULL ? diskFull(error) : error;
    } finally {
      ran();
    }
  };
  return new NodeSqliteDialect({
    database: {
      close: () => connection.close(),
      prepare(sql: string) {
        // SQLite has ended the transaction itself when the disk is full.
        if (sql === 'rollback' && !connection.isTransaction) return NOTHING;
        // A transaction that reads first and writes then must not find that another process wrote in between.
        const statement = prepare(sql === 'begin' ? 'begin immediate' : sql);
        return {
          reader: statement.columns().length > 0,
          all: (values: readonly unknown[]) => run(() => statement.all(...(values as SQLInputValue[]))),
          run: (values: readonly unknown[]) => run(() => statement.run(...(values as SQLInputValue[]))),
          iterate: (values: readonly unknown[]) =>
            statement.iterate(...(values as SQLInputValue[])) as IterableIterator<unknown>,
        };
      },
    },
  });
}

/** A statement with nothing to do. */
const NOTHING = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

/**
 * SQLite tells a connection of the commits of all others, and this process writes by no other one than the writer.
 * It takes some locks for the answer, so that it is asked now and then.
 */
function foreignCommitsOf(writer: DatabaseSync): () => number {
  const dataVersion = writer.prepare('PRAGMA data_version');
  let known = dataVersion.get()?.data_version;
  let askedAt = performance.now();
  let commits = 0;
  return () => {
    const now = performance.now();
    if (now - askedAt > OTHERS_NOTICED_MS) {
      askedAt = now;
      const answer = dataVersion.get()?.data_version;
      if (answer !== known) commits += 1;
      known = answer;
    }
    return commits;
  };
}

function describe(connection: DatabaseSync, table: string): EngineColumn[] {
  return connection
    .prepare('SELECT name, type, "notnull" AS required FROM pragma_table_info(?) ORDER BY cid')
    .all(table)
    .map(({ name, type, required }) => ({
      name: String(name),
      type: type === 'TEXT' ? 'text' : type === 'INTEGER' ? 'integer' : 'other',
      nullable: required === 0,
    }));
}

function cascadesOf(connection: DatabaseSync, table: string): Cascade[] {
  return connection
    .prepare(
      `SELECT "from" AS "column", "table" AS target FROM pragma_foreign_key_list(?) WHERE on_delete = 'CASCADE'`,
    )
    .all(table)
    .map(({ column, target }) => ({ table, column: String(column), target: String(target) }));
}

function violationOf(error: unknown): Violation | undefined {
  const code = errorCode(error);
  return code === undefined ? undefined : VIOLATIONS[code];
}

/** SQLite's own code of what went wrong. */
function errorCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code : undefined;
}

function diskFull(cause: unknown): ServiceError {
  return new ServiceError('STORAGE_FULL', 'There is no room for this on the server at the moment.', {
    cause,
  });
}
