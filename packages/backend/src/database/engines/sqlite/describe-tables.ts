import type { Cascade, EngineColumn } from '../../port.ts';
import type { Prepare } from './statement-cache.ts';

/** Returns the columns of a table or view, in order. */
export function describeColumns(prepare: Prepare, table: string): EngineColumn[] {
  return prepare('SELECT name, type, "notnull" AS required FROM pragma_table_info(?) ORDER BY cid')
    .statement.all(table)
    .map(({ name, type, required }) => ({
      name: String(name),
      type: type === 'TEXT' ? 'text' : type === 'INTEGER' ? 'integer' : 'other',
      nullable: required === 0,
    }));
}

/** Like `describeColumns`, for a table that is not STRICT: its types are names, of which those with `INT` are integers. */
export function describeLooseColumns(prepare: Prepare, table: string): EngineColumn[] {
  const columns = prepare("SELECT name FROM pragma_table_info(?) WHERE type LIKE '%INT%'").statement.all(
    table,
  );
  const integers = new Set(columns.map(({ name }) => String(name)));
  return describeColumns(prepare, table).map((column) =>
    integers.has(column.name) ? { ...column, type: 'integer' } : column,
  );
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
