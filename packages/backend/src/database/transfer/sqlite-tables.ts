import type { DatabaseSync } from 'node:sqlite';
import { CLIENT_TABLES } from '../engines/sqlite/client-sql/client-tables.ts';
import { uncopiedTables } from '../migration-tables.ts';
import type { Value } from './canonical-row.ts';
import { BATCH_BYTES, BATCH_ROWS, byName, quoted, rowBytes, type TableShape } from './snapshot.ts';

/** Returns the tables and views, without the tables behind a full-text index, which are created with it. */
export function describeSqlite(connection: DatabaseSync): { tables: TableShape[]; views: string[] } {
  const named = connection
    .prepare(
      `SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all() as { name: string; type: string }[];
  const ofType = (type: string) => named.filter((one) => one.type === type).sort(byName);
  return {
    tables: ofType('table')
      .filter(({ name }) => !uncopiedTables.includes(name) && name !== CLIENT_TABLES)
      .map(({ name }) => describeTable(connection, name)),
    views: ofType('view').map(({ name }) => name),
  };
}

function describeTable(connection: DatabaseSync, table: string): TableShape {
  const columns = connection
    .prepare('SELECT name, lower(type) AS type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table) as { name: string; type: string; pk: number }[];
  const key = columns.filter(({ pk }) => pk > 0).sort((left, right) => left.pk - right.pk);
  const sorted = columns.map(({ name, type }) => ({ name, type })).sort(byName);
  return { name: table, columns: sorted, key: (key.length > 0 ? key : sorted).map(({ name }) => name) };
}

/** Yields the rows of a table in the order of its key. */
export async function* readSqlite(
  connection: DatabaseSync,
  { name, columns, key }: TableShape,
): AsyncGenerator<Value[][]> {
  const wanted = columns.map((column) => quoted(column.name)).join(', ');
  const order = key.map((column) => `${quoted(column)} COLLATE BINARY`).join(', ');
  const statement = connection.prepare(`SELECT ${wanted} FROM ${quoted(name)} ORDER BY ${order}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  let batch: Value[][] = [];
  let bytes = 0;
  for (const row of statement.iterate() as unknown as Iterable<Value[]>) {
    batch.push(row);
    bytes += rowBytes(row);
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
