import type { Row } from '../bus.ts';
import type { Filter, Scalar } from '../filter.ts';
import type { Change } from './change.ts';
import { compileDelete } from './compile.ts';
import type { Cascade } from './database.ts';
import type { Query } from './query.ts';
import type { TableSchema } from './schema.ts';
import { findTouchable } from './touchable.ts';
import { rowsWith } from './transaction.ts';
import type { Write } from './write-plan.ts';

/**
 * Deletes the rows of the query that the policy lets this caller delete, and answers them. What the engine takes
 * along with them is told as changes too. Throws FORBIDDEN when there are rows but none of them may be deleted.
 */
export async function deleteRows(
  write: Write,
  query: Query,
  { where, cascades }: { where: Filter; cascades: readonly Cascade[] },
): Promise<Row[]> {
  const { context, run, changes } = write;
  const rows = await findTouchable(write, query, where);
  changes.push(...rows.map((row) => deletion(context.table, row)));
  changes.push(...(await dependants(write, context.table, rows, cascades)));
  for (const { id } of rows) await run(compileDelete(context, id ?? null));
  return rows;
}

/** The rows that go with these, and those that go with them. */
async function dependants(
  write: Write,
  table: TableSchema,
  rows: readonly Row[],
  cascades: readonly Cascade[],
): Promise<Change[]> {
  const found = new Map<string, Change>();
  const pending: { table: TableSchema; ids: Scalar[] }[] = [{ table, ids: rows.map(({ id }) => id ?? null) }];
  for (const { table: parent, ids } of pending) {
    for (const { table: name, column } of cascades.filter(({ target }) => target === parent.name)) {
      const child = write.context.schema.get(name);
      if (!child) continue;
      const fresh = (await rowsWith(write, child, column, ids))
        .map((row) => deletion(child, row))
        .filter(({ id }) => !found.has(`${name}/${id}`));
      for (const change of fresh) found.set(`${name}/${change.id}`, change);
      if (fresh.length > 0) pending.push({ table: child, ids: fresh.map(({ id }) => id) });
    }
  }
  return [...found.values()];
}

function deletion(table: TableSchema, row: Row): Change {
  return {
    table: table.name,
    operation: 'delete',
    id: String(row.id),
    changed: Object.keys(row),
    before: row,
    after: null,
  };
}
