import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { Value } from './canonical-row.ts';
import { describePostgres, kindOf, readPostgres } from './postgres-tables.ts';
import type { TableShape, Target } from './snapshot.ts';

/** How values reach the server, and what they are made there. */
const ARRAYS = {
  integer: { array: 'bigint[]', as: '' },
  boolean: { array: 'bigint[]', as: '::int' },
  real: { array: 'float8[]', as: '' },
  blob: { array: 'bytea[]', as: '' },
  text: { array: 'text[]', as: '' },
} as const;

/** A foreign key, which is looked at once all rows are there. */
interface Reference {
  table: string;
  name: string;
  definition: string;
}

/** A schema whose tables the migrations have just made, within a transaction of the connection. */
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
    // Migrations may have put rows into them, and what triggers would do has been done in the source.
    await client.query(`TRUNCATE ${table}; ALTER TABLE ${table} DISABLE TRIGGER USER`);
  }
  return {
    ...shape,
    read: (table) => readPostgres(client, schema, table),
    async load(table, batches) {
      const insert = insertInto(table, locate(table.name));
      let running: Promise<void> = Promise.resolve();
      // While the server takes one batch in, the next one is read.
      for await (const batch of batches) {
        await running;
        running = insertRows(client, { insert, table: table.name, batch });
        // It is awaited further on, where it is thrown.
        running.catch(() => undefined);
      }
      await running;
    },
    async finish() {
      for (const { definition } of indexes) await client.query(definition);
      for (const { table, name, definition } of references) {
        await addReference(client, { name, definition, table: locate(table), shown: table });
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

/** Those that belong to no constraint: they are made faster of rows that are there. */
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

/** A statement that takes an array of values for each column. */
function insertInto({ columns }: TableShape, table: string): string {
  const names = columns.map(({ name }) => escapeIdentifier(name)).join(', ');
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${ARRAYS[kindOf(type)].array}`);
  const values = columns.map(({ type }, at) => `v${at}${ARRAYS[kindOf(type)].as}::${type}`);
  const rows = `unnest(${arrays.join(', ')}) AS r (${columns.map((_, at) => `v${at}`).join(', ')})`;
  return `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values.join(', ')} FROM ${rows}`;
}

async function insertRows(
  client: Client,
  { insert, table, batch }: { insert: string; table: string; batch: readonly Value[][] },
): Promise<void> {
  const columns = batch[0]?.map((_, at) => batch.map((row) => row[at])) ?? [];
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
  { table, name, definition, shown }: Reference & { shown: string },
): Promise<void> {
  try {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${escapeIdentifier(name)} ${definition}`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== '23503') throw cause;
    throw new Error(`Rows of table "${shown}" refer to rows that do not exist.`, { cause });
  }
}

/** What counts by itself goes on behind what is there. */
async function continueSequences(client: Client, { columns }: TableShape, table: string): Promise<void> {
  for (const { name, type } of columns) {
    if (kindOf(type) !== 'integer') continue;
    await client.query(
      `SELECT setval(sequence, max) FROM pg_get_serial_sequence(${escapeLiteral(table)}, ${escapeLiteral(name)}) AS sequence,
         (SELECT max(${escapeIdentifier(name)}) FROM ${table}) AS rows WHERE sequence IS NOT NULL AND max IS NOT NULL`,
    );
  }
}
