import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { Value } from './canonical-row.ts';
import { describePostgres, readPostgres, valueKindOf } from './postgres-tables.ts';
import type { TableShape, Target } from './snapshot.ts';

/** The array types in which values are sent, and the casts to the column's type. */
const ARRAYS = {
  integer: { array: 'bigint[]', cast: '' },
  boolean: { array: 'bigint[]', cast: '::int' },
  real: { array: 'float8[]', cast: '' },
  blob: { array: 'bytea[]', cast: '' },
  text: { array: 'text[]', cast: '' },
} as const;

/** A foreign key, which is checked once all rows are inserted. */
interface Reference {
  table: string;
  name: string;
  definition: string;
}

/** Opens a schema whose tables migrations have just created, within a transaction of the connection. */
export async function openPostgresTarget(client: Client, schema: string): Promise<Target> {
  const shape = await describePostgres(client, schema);
  const locate = (table: string) => `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
  const references = await listReferences(client, schema);
  const indexes = await listIndexes(client, schema);
  const tables = shape.tables.map(({ name }) => locate(name));
  for (const { name } of indexes) await client.query(`DROP INDEX ${locate(name)}`);
  for (const { table, name } of references) {
    await client.query(`ALTER TABLE ${locate(table)} DROP CONSTRAINT ${escapeIdentifier(name)}`);
  }
  for (const table of tables) {
    // Migrations may have inserted rows, and the source has the effects of its triggers already.
    await client.query(`TRUNCATE ${table}; ALTER TABLE ${table} DISABLE TRIGGER USER`);
  }
  return {
    ...shape,
    read: (table) => readPostgres(client, schema, table),
    async load(table, batches) {
      const insert = insertInto(table, locate(table.name));
      let running: Promise<void> = Promise.resolve();
      // The next batch is read while the server inserts one.
      for await (const batch of batches) {
        await running;
        running = insertRows(client, { insert, table: table.name, batch });
        // The error is thrown where the promise is awaited.
        running.catch(() => undefined);
      }
      await running;
    },
    async finish() {
      for (const { definition } of indexes) await client.query(definition);
      for (const { table, name, definition } of references) {
        await addReference(client, { name, definition, table: locate(table), tableName: table });
      }
      for (const table of shape.tables) {
        await client.query(`ALTER TABLE ${locate(table.name)} ENABLE TRIGGER USER`);
        await continueSequences(client, table, locate(table.name));
        await client.query(`ANALYZE ${locate(table.name)}`);
      }
    },
  };
}

async function listReferences(client: Client, schema: string): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `SELECT relname::text AS "table", conname::text AS name, pg_get_constraintdef(pg_constraint.oid) AS definition
     FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE contype = 'f' AND conparentid = 0 AND relnamespace = to_regnamespace(quote_ident($1))
     ORDER BY relname, conname`,
    [schema],
  );
  return rows;
}

/** Returns the indexes that belong to no constraint: they are built faster from existing rows. */
async function listIndexes(client: Client, schema: string): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT relname::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = to_regnamespace(quote_ident($1)) AND NOT relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
     ORDER BY relname`,
    [schema],
  );
  return rows;
}

/** Returns a statement that takes an array of values for each column. */
function insertInto({ columns }: TableShape, table: string): string {
  const names = columns.map(({ name }) => escapeIdentifier(name)).join(', ');
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${ARRAYS[valueKindOf(type)].array}`);
  const values = columns.map(({ type }, index) => `v${index}${ARRAYS[valueKindOf(type)].cast}::${type}`);
  const rows = `unnest(${arrays.join(', ')}) AS r (${columns.map((_, index) => `v${index}`).join(', ')})`;
  return `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values.join(', ')} FROM ${rows}`;
}

async function insertRows(
  client: Client,
  { insert, table, batch }: { insert: string; table: string; batch: readonly Value[][] },
): Promise<void> {
  const columns = batch[0]?.map((_, index) => batch.map((row) => row[index])) ?? [];
  try {
    await client.query({ text: insert, values: columns });
  } catch (cause) {
    throw new Error(`PostgreSQL does not take the rows of table "${table}": ${reasonOf(cause)}.`, { cause });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as Error & { code?: string };
  return code === '22021' ? 'one of them holds a text with the character NUL' : message;
}

async function addReference(
  client: Client,
  { table, name, definition, tableName }: Reference & { tableName: string },
): Promise<void> {
  try {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${escapeIdentifier(name)} ${definition}`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== '23503') throw cause;
    throw new Error(`Rows of table "${tableName}" refer to rows that do not exist.`, { cause });
  }
}

/** Sets the sequences of a table to its highest values. */
async function continueSequences(client: Client, { columns }: TableShape, table: string): Promise<void> {
  for (const { name, type } of columns) {
    if (valueKindOf(type) !== 'integer') continue;
    await client.query(
      `SELECT setval(sequence, max) FROM pg_get_serial_sequence(${escapeLiteral(table)}, ${escapeLiteral(name)}) AS sequence,
         (SELECT max(${escapeIdentifier(name)}) FROM ${table}) AS rows WHERE sequence IS NOT NULL AND max IS NOT NULL`,
    );
  }
}
