import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import type { Row } from '../bus.ts';
import type { Cascade, Database, EngineColumn, Syntax, Violation } from './database.ts';
import { likeToGlob, matchesIgnoringCase } from './like.ts';
import { strictTables } from './strict-tables.ts';

const STATEMENTS_KEPT = 500;

/** How late a commit of another process may be noticed by `version`. */
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

const syntax: Syntax = {
  placeholder: () => '?',
  // SQLite's LIKE is blind to the case of ASCII letters and to no other: GLOB looks at all of them …
  like: (expression, pattern, bind) => `${expression} GLOB ${bind(likeToGlob(pattern))}`,
  // … and a pattern with letters beyond ASCII needs a comparison of our own.
  ilike: (expression, pattern, bind) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
    /^[\x00-\x7f]*$/.test(pattern)
      ? `${expression} LIKE ${bind(pattern)} ESCAPE '\\'`
      : `matches_ignoring_case(${expression}, ${bind(pattern)})`,
};

/** Opens (or makes) the file; commits are on the disk before they are answered. */
export function openSqlite(path: string): Database {
  const writer = connect(path);
  const reader = connect(path, { readOnly: true });
  const prepareRead = statementCache(reader);
  let written = 0;
  const reading = new Kysely<unknown>({ dialect: dialectOn(reader, prepareRead, () => undefined) });
  const writing = new Kysely<unknown>({
    dialect: dialectOn(writer, statementCache(writer), () => {
      written += 1;
    }),
    plugins: [strictTables()],
  });
  return {
    reader: reading,
    writer: writing,
    syntax,
    query: (sql, parameters) => prepareRead(sql).all(...(parameters as SQLInputValue[])) as Row[],
    version: versionOf(reader, () => written),
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

function connect(path: string, { readOnly = false } = {}): DatabaseSync {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000, readOnly });
  if (!readOnly) connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  connection.exec('PRAGMA temp_store = MEMORY;');
  connection.function('matches_ignoring_case', { deterministic: true }, (text, pattern) => {
    if (text === null || pattern === null) return null;
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

/** node:sqlite in the shape that Kysely's dialect expects; `ran` is called after every statement. */
function dialectOn(connection: DatabaseSync, prepare: Prepare, ran: () => void): NodeSqliteDialect {
  const counted = <T>(result: T): T => {
    ran();
    return result;
  };
  return new NodeSqliteDialect({
    database: {
      close: () => connection.close(),
      prepare(sql: string) {
        // A transaction that reads first and writes then must not find that another process wrote in between.
        const statement = prepare(sql === 'begin' ? 'begin immediate' : sql);
        return {
          reader: statement.columns().length > 0,
          all: (values: readonly unknown[]) => counted(statement.all(...(values as SQLInputValue[]))),
          run: (values: readonly unknown[]) => counted(statement.run(...(values as SQLInputValue[]))),
          iterate: (values: readonly unknown[]) =>
            statement.iterate(...(values as SQLInputValue[])) as IterableIterator<unknown>,
        };
      },
    },
  });
}

/**
 * Our own writes are counted, which costs nothing; asking SQLite for those of other processes takes it some
 * locks, so that it is asked now and then.
 */
function versionOf(reader: DatabaseSync, written: () => number): () => number {
  const dataVersion = reader.prepare('PRAGMA data_version');
  let askedAt = Number.NEGATIVE_INFINITY;
  let known = 0;
  let others: unknown;
  return () => {
    const now = performance.now();
    if (now - askedAt > OTHERS_NOTICED_MS) {
      askedAt = now;
      const answer = dataVersion.get()?.data_version;
      if (answer !== others) known += 1;
      others = answer;
    }
    return known + written();
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
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? VIOLATIONS[code] : undefined;
}
