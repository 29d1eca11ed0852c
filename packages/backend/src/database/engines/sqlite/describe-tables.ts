import { type Kysely, sql } from 'kysely';
import type { Cascade, EngineColumn } from '../../port.ts';
import type { Prepare } from './statement-cache.ts';

interface DeclaredColumn {
  name: string;
  type: string;
  required: number;
}

/** Returns the columns of a table or view, in order. */
export async function describeColumns(connection: Kysely<unknown>, table: string): Promise<EngineColumn[]> {
  const { rows } =
    await sql<DeclaredColumn>`SELECT name, type, "notnull" AS required FROM pragma_table_info(${table}) ORDER BY cid`.execute(
      connection,
    );
  return rows.map(({ name, type, required }) => ({ name, type: typeOf(type), nullable: required === 0 }));
}

/**
 * Returns the type of a column that was declared so, by the rules of SQLite's affinities (https://www.sqlite.org/datatype3.html): a cast
 * in a view is an `INT`, and what else a view computes has no type.
 */
function typeOf(declared: string): EngineColumn['type'] {
  if (declared === '') return 'none';
  if (/INT/i.test(declared)) return 'integer';
  return /CHAR|CLOB|TEXT/i.test(declared) ? 'text' : 'other';
}

/** Returns the foreign keys of a table that cascade deletes. */
export function describeCascades(prepare: Prepare, table: string): Cascade[] {
  return prepare(
    `SELECT "from" AS "column", "table" AS target FROM pragma_foreign_key_list(?) WHERE on_delete = 'CASCADE'`,
  )
    .statement.all(table)
    .map(({ column, target }) => ({ table, column: String(column), target: String(target) }));
}

/** Returns the columns of each unique key; partial indexes, and indexes on expressions, are left out. */
export function describeUniqueKeys(prepare: Prepare, table: string): string[][] {
  return prepare(
    `SELECT json_group_array(part.name) AS names FROM pragma_index_list(?) AS key, pragma_index_info(key.name) AS part
     WHERE key."unique" = 1 AND key.partial = 0 GROUP BY key.name HAVING count(*) = count(part.name)`,
  )
    .statement.all(table)
    .map(({ names }) => JSON.parse(String(names)));
}
