import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import type { Database, EngineColumn } from './database.ts';

const STATEMENTS_KEPT = 500;

/** Opens (or makes) the file; commits are on the disk before they are answered. */
export function openSqlite(path: string): Database {
  const writer = connect(path);
  const reader = connect(path);
  const reading = new Kysely<unknown>({ dialect: new SqliteDialect({ database: driver(reader) }) });
  const writing = new Kysely<unknown>({ dialect: new SqliteDialect({ database: driver(writer) }) });
  return {
    reader: reading,
    writer: writing,
    syntax: {
      placeholder: () => '?',
      // LIKE ignores the case of ASCII letters in SQLite, GLOB has other wildcards: compare as it is told to.
      ilike: (column, placeholder) => `${column} LIKE ${placeholder} ESCAPE '\\'`,
      like: (column, placeholder) => `like_cased(${column}, ${placeholder})`,
    },
    columns: async (table) => describe(reader, table),
    async close() {
      await reading.destroy();
      await writing.destroy();
    },
  };
}

function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5_000 });
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;');
  return connection;
}

/** node:sqlite in the shape that Kysely's dialect expects, each statement prepared once. */
function driver(connection: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= STATEMENTS_KEPT) prepared.delete(prepared.keys().next().value as string);
    const statement = connection.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    close: () => connection.close(),
    prepare(sql: string) {
      const statement = prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
        run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
        iterate: (values: readonly unknown[]) =>
          statement.iterate(...(values as SQLInputValue[])) as IterableIterator<unknown>,
      };
    },
  };
}

function describe(connection: DatabaseSync, table: string): EngineColumn[] {
  return connection
    .prepare('SELECT name, type, "notnull" AS required FROM pragma_table_info(?) ORDER BY cid')
    .all(table)
    .map((row) => ({
      name: String(row.name),
      type: String(row.type).toLowerCase() as EngineColumn['type'],
      nullable: row.required === 0,
    }));
}
