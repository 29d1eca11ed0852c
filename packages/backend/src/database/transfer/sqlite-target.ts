import { DatabaseSync } from 'node:sqlite';
import type { Value } from './canonical-row.ts';
import { quoted, type TableShape, type Target } from './snapshot.ts';
import { describeSqlite, readSqlite } from './sqlite-tables.ts';

export interface SqliteTarget extends Target {
  /** The file is whole then, and nothing lies beside it. */
  close(): void;
}

/**
 * A file whose tables the migrations have just made. It belongs to nobody yet: what is written is not durable before
 * `close`, and half of it after a crash.
 */
export function openSqliteTarget(path: string): SqliteTarget {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  connection.exec(
    'PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN;',
  );
  const shape = describeSqlite(connection);
  const made = dropMade(connection);
  // Migrations may have put rows into them: the source's are all that there is to be.
  for (const { name } of shape.tables) connection.exec(`DELETE FROM ${quoted(name)}`);
  return {
    ...shape,
    read: (table) => readSqlite(connection, table),
    load: (table, batches) => insertRows(connection, table, batches),
    async finish() {
      for (const sql of made) connection.exec(sql);
      requireReferences(connection);
      connection.exec('COMMIT');
    },
    close: () => connection.close(),
  };
}

/**
 * What triggers would do on each row has been done in the source, and an index is made faster of rows that are there.
 * Answers how to make them again.
 */
function dropMade(connection: DatabaseSync): string[] {
  const made = connection
    .prepare(
      `SELECT name, type, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL`,
    )
    .all();
  for (const { name, type } of made) connection.exec(`DROP ${type} ${quoted(String(name))}`);
  return made.map(({ sql }) => String(sql));
}

async function insertRows(
  connection: DatabaseSync,
  { name, columns }: TableShape,
  batches: AsyncIterable<Value[][]>,
): Promise<void> {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const insert = connection.prepare(
    `INSERT INTO ${quoted(name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for await (const batch of batches) for (const row of batch) insert.run(...row);
}

function requireReferences(connection: DatabaseSync): void {
  const broken = connection.prepare('PRAGMA foreign_key_check').get();
  if (!broken) return;
  throw new Error(`Rows of table "${broken.table}" refer to rows of "${broken.parent}" that do not exist.`);
}
