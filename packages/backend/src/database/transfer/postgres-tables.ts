import { type ClientBase, escapeIdentifier } from 'pg';
import { uncopiedTables } from '../migration-tables.ts';
import type { Value } from './canonical-row.ts';
import { BATCH_BYTES, BATCH_ROWS, byName, rowBytes, type TableShape } from './snapshot.ts';

/** Rows of the first batch, whose length determines the size of the next ones. */
const FIRST_ROWS = 50;

interface DescribedColumn {
  table: string;
  name: string;
  type: string;
  /** The position in the primary key, from 1; null when the column is not a part of it. */
  keyPosition: number | null;
}

/** Returns the tables and views of a schema. */
export async function describePostgres(
  client: ClientBase,
  schema: string,
): Promise<{ tables: TableShape[]; views: string[] }> {
  const { rows: relations } = await client.query<{ name: string; view: boolean }>(
    `SELECT relname::text AS name, relkind IN ('v', 'm') AS view FROM pg_class
     WHERE relnamespace = to_regnamespace(quote_ident($1)) AND relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition`,
    [schema],
  );
  const { rows: columns } = await client.query<DescribedColumn>(
    `SELECT relname::text AS "table", attname::text AS name, format_type(atttypid, atttypmod) AS type,
       array_position(indkey::int2[], attnum) + 1 AS "keyPosition"
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
     WHERE relnamespace = to_regnamespace(quote_ident($1)) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [schema],
  );
  return {
    tables: relations
      .filter(({ name, view }) => !view && !uncopiedTables.includes(name))
      .sort(byName)
      .map(({ name }) => shapeOf(name, columns)),
    views: relations
      .filter(({ view }) => view)
      .sort(byName)
      .map(({ name }) => name),
  };
}

function shapeOf(table: string, all: readonly DescribedColumn[]): TableShape {
  const columns = all.filter((column) => column.table === table).sort(byName);
  const key = columns
    .filter(({ keyPosition }) => keyPosition !== null)
    .sort((left, right) => Number(left.keyPosition) - Number(right.keyPosition));
  return {
    name: table,
    columns: columns.map(({ name, type }) => ({ name, type })),
    key: (key.length > 0 ? key : columns).map(({ name }) => name),
  };
}

/** The kind of a column's values; all types without a kind of their own are `text`. */
type ValueKind = 'integer' | 'boolean' | 'real' | 'blob' | 'text';

const KINDS: Readonly<Record<string, ValueKind>> = {
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  boolean: 'boolean',
  real: 'real',
  'double precision': 'real',
  bytea: 'blob',
};

export function valueKindOf(type: string): ValueKind {
  return KINDS[type] ?? 'text';
}

const fromText: Readonly<Record<ValueKind, (text: string) => Value>> = {
  integer: BigInt,
  boolean: (text) => (text === 'true' ? 1n : 0n),
  real: Number,
  blob: (text) => Buffer.from(text.slice(2), 'hex'),
  text: (text) => text,
};

/** Yields the rows of a table in the order of its key, within a transaction. */
export async function* readPostgres(
  client: ClientBase,
  schema: string,
  { name, columns, key }: TableShape,
): AsyncGenerator<Value[][]> {
  const cursor = escapeIdentifier(`rows of ${name}`);
  const kinds = columns.map(({ type }) => valueKindOf(type));
  const wanted = columns.map((column) => `${escapeIdentifier(column.name)}::text`).join(', ');
  const order = key.map((column) => orderBy(columns.find((one) => one.name === column)?.type, column));
  await client.query(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR
     SELECT ${wanted} FROM ${escapeIdentifier(schema)}.${escapeIdentifier(name)} ORDER BY ${order.join(', ')}`,
  );
  const fetch = (count: number) =>
    client.query<(string | null)[]>({ text: `FETCH ${count} FROM ${cursor}`, rowMode: 'array' });
  let { rows } = await fetch(FIRST_ROWS);
  while (rows.length > 0) {
    const batch = rows.map((row) =>
      row.map((value, index) => (value === null ? null : fromText[kinds[index] ?? 'text'](value))),
    );
    const bytes = batch.reduce((sum, row) => sum + rowBytes(row), 1);
    // The server fetches the next batch while the caller handles this one.
    const next = fetch(Math.max(1, Math.min(BATCH_ROWS, Math.floor((BATCH_BYTES * batch.length) / bytes))));
    next.catch(() => undefined);
    yield batch;
    ({ rows } = await next);
  }
  await client.query(`CLOSE ${cursor}`);
}

/** Orders as SQLite does: texts by their bytes, and null first. */
function orderBy(type: string | undefined, column: string): string {
  const isText = type !== undefined && /^(text|character varying|character)\b/.test(type);
  return `${escapeIdentifier(column)}${isText ? ' COLLATE "C"' : ''} NULLS FIRST`;
}
