import type { QueryResult } from 'pg';
import type { Cascade, EngineColumn } from '../../port.ts';
import type { SqlQuery } from './sessions/session.ts';

type RunQuery = (query: SqlQuery) => Promise<Pick<QueryResult, 'rows'>>;

/** Returns the columns of a table or view of the project, in order. */
export async function readColumns(run: RunQuery, table: string): Promise<EngineColumn[]> {
  const { rows } = await run({
    text: `SELECT attname AS name, NOT attnotnull AS nullable,
        CASE WHEN atttypid IN ('text'::regtype, 'varchar'::regtype) THEN 'text'
             WHEN atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'integer'
             ELSE 'other' END AS type
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = $1
        AND relkind IN ('r', 'p', 'v', 'm', 'f') AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum`,
    values: [table],
  });
  return rows.map(({ name, type, nullable }) => ({ name, type, nullable }));
}

/** Like `readColumns`, for a table or view that a client's SQL has created, whose owner is another role; an empty array for any other. */
export async function readClientColumns(run: RunQuery, table: string): Promise<EngineColumn[]> {
  const { rows } = await run({
    text: `SELECT 1 FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = $1
        AND pg_get_userbyid(relowner) <> current_user`,
    values: [table],
  });
  return rows.length > 0 ? readColumns(run, table) : [];
}

/** Returns every `ON DELETE CASCADE` of these tables. */
export async function readCascades(run: RunQuery, tables: readonly string[]): Promise<Cascade[]> {
  const { rows } = await run({
    text: `SELECT referring.relname AS "table", attname AS "column", target.relname AS target
      FROM pg_constraint
        JOIN pg_class AS referring ON referring.oid = conrelid
        JOIN pg_class AS target ON target.oid = confrelid
        JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'f' AND confdeltype = 'c' AND referring.relname = ANY ($1::text[])
        AND referring.relnamespace = quote_ident(current_schema())::regnamespace
      ORDER BY array_position($1::text[], referring.relname::text), conkey[1]`,
    values: [tables],
  });
  return rows.map(({ table, column, target }) => ({ table, column, target }));
}

/** Returns the columns of each unique key; partial indexes, and indexes on expressions, are left out. */
export async function readUniqueKeys(run: RunQuery, table: string): Promise<string[][]> {
  const { rows } = await run({
    text: `SELECT ARRAY(
        SELECT attname::text FROM unnest(indkey[0:indnkeyatts - 1]) WITH ORDINALITY AS part (number, position)
          JOIN pg_attribute ON attrelid = indrelid AND attnum = number
        ORDER BY position) AS names
      FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = $1
        AND indisunique AND indisvalid AND indpred IS NULL AND indexprs IS NULL
      ORDER BY indexrelid`,
    values: [table],
  });
  return rows.map(({ names }) => names);
}
