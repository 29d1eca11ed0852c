import { DatabaseSync } from 'node:sqlite';
import type { Value } from './canonical-row.ts';
import { quoted, type TableShape, type Target } from './snapshot.ts';
import { describeSqlite, readSqlite } from './sqlite-tables.ts';

interface SqliteTarget extends Target {
  /** Closes the file, which is complete then; no other file belongs to it. */
  close(): void;
}

/**
 * Opens a file whose tables migrations have just created. Nothing else uses the file yet: its rows are not durable
 * before `close`, and a crash leaves it incomplete.
 */
export function openSqliteTarget(path: string): SqliteTarget {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  connection.exec(
    'PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN;',
  );
  const shape = describeSqlite(connection);
  const definitions = dropIndexesAndTriggers(connection);
  // Migrations may have inserted rows: the target gets the rows of the source alone.
  for (const { name } of shape.tables) connection.exec(`DELETE FROM ${quoted(name)}`);
  return {
    ...shape,
    read: (table) => readSqlite(connection, table),
    load: (table, batches) => insertRows(connection, table, batches),
    async finish() {
      for (const sql of definitions) connection.exec(sql);
      requireReferences(connection);
      connection.exec('COMMIT');
    },
    close: () => connection.close(),
  };
}

/**
 * Drops indexes and triggers, and returns their definitions. The source has the effects of its triggers already, and
 * an index is built faster from existing rows.
 */
function dropIndexesAndTriggers(connection: DatabaseSync): string[] {
  const dropped = connection
    .prepare(
      `SELECT name, type, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL`,
    )
    .all();
  for (const { name, type } of dropped) connection.exec(`DROP ${type} ${quoted(String(name))}`);
  return dropped.map(({ sql }) => String(sql));
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
