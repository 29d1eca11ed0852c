import { type ClientBase, escapeIdentifier } from 'pg';
import { MIGRATION_LOCK_TABLE } from '../migrate.ts';
import type { Value } from './canonical-row.ts';
import { BATCH_BYTES, BATCH_ROWS, byName, type TableShape, weightOf } from './snapshot.ts';

/** Rows of the first look at a table; how long they are tells how many there may be at a time. */
const FIRST_ROWS = 50;

interface DescribedColumn {
  table: string;
  name: string;
  type: string;
  /** Its place in the primary key, from 1; null: it is not in it. */
  place: number | null;
}

/** Tables and views of a schema. */
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
       array_position(indkey::int2[], attnum) + 1 AS place
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
     WHERE relnamespace = to_regnamespace(quote_ident($1)) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [schema],
  );
  return {
    tables: relations
      .filter(({ name, view }) => !view && name !== MIGRATION_LOCK_TABLE)
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
    .filter(({ place }) => place !== null)
    .sort((left, right) => Number(left.place) - Number(right.place));
  return {
    name: table,
    columns: columns.map(({ name, type }) => ({ name, type })),
    key: (key.length > 0 ? key : columns).map(({ name }) => name),
  };
}

/** What the values of a column are to us; `text` is how all others are written. */
export type Kind = 'integer' | 'boolean' | 'real' | 'blob' | 'text';

const KINDS: Readonly<Record<string, Kind>> = {
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  boolean: 'boolean',
  real: 'real',
  'double precision': 'real',
  bytea: 'blob',
};

export function kindOf(type: string): Kind {
  return KINDS[type] ?? 'text';
}

const fromText: Readonly<Record<Kind, (text: string) => Value>> = {
  integer: BigInt,
  boolean: (text) => (text === 'true' ? 1n : 0n),
  real: Number,
  blob: (text) => Buffer.from(text.slice(2), 'hex'),
  text: (text) => text,
};

/** The rows of a table, by key, within a transaction. */
export async function* readPostgres(
  client: ClientBase,
  schema: string,
  { name, columns, key }: TableShape,
): AsyncGenerator<Value[][]> {
  const cursor = escapeIdentifier(`rows of ${name}`);
  const kinds = columns.map(({ type }) => kindOf(type));
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
      row.map((value, at) => (value === null ? null : fromText[kinds[at] ?? 'text'](value))),
    );
    const bytes = batch.reduce((sum, row) => sum + weightOf(row), 1);
    // The server gathers the next ones while these are seen to.
    const next = fetch(Math.max(1, Math.min(BATCH_ROWS, Math.floor((BATCH_BYTES * batch.length) / bytes))));
    next.catch(() => undefined);
    yield batch;
    ({ rows } = await next);
  }
  await client.query(`CLOSE ${cursor}`);
}

/** As SQLite does it: texts by their bytes, and null before everything. */
function orderBy(type: string | undefined, column: string): string {
  const isText = type !== undefined && /^(text|character varying|character)\b/.test(type);
  return `${escapeIdentifier(column)}${isText ? ' COLLATE "C"' : ''} NULLS FIRST`;
}
