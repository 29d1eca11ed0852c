import type { Change, Row } from '../../core/bus.ts';
import type { Filter, Scalar } from '../../core/filter.ts';
import type { Cascade } from '../port.ts';
import { compileDelete, compileIds } from '../query/compile.ts';
import type { Query } from '../query/query.ts';
import { type CountCharacters, readRows } from '../query/read-rows.ts';
import type { TableSchema } from '../schema.ts';
import { chunks } from './check-rows.ts';
import { findTouchable, type Touching } from './writable-rows.ts';
import type { Write } from './write.ts';

export interface Deletion extends Touching {
  cascades: readonly Cascade[];
  /** The same as `count`, of what goes with the rows. */
  countDependants?: CountCharacters | undefined;
}

/**
 * Deletes the rows of the query that the policy lets this caller delete, and answers them. What the engine takes
 * along with them is told as changes too. Throws FORBIDDEN when there are rows but none of them may be deleted.
 */
export async function deleteRows(
  write: Write,
  query: Query,
  { cascades, countDependants, ...touching }: Deletion,
): Promise<Row[]> {
  const { context, run, changes } = write;
  const rows = await findTouchable(write, query, touching);
  for (const row of rows) changes.push(deletion(context.table, row));
  for (const change of await dependants(write, rows, { cascades, count: countDependants }))
    changes.push(change);
  for (const ids of chunks(rows.map(idOf))) await run(compileDelete(context, ids));
  return rows;
}

/** The rows that go with these, and those that go with them. */
async function dependants(
  write: Write,
  rows: readonly Row[],
  { cascades, count }: { cascades: readonly Cascade[]; count: CountCharacters | undefined },
): Promise<Change[]> {
  const { schema, table } = write.context;
  const found: Change[] = [];
  const known = new Set(rows.map((row) => keyOf(table, idOf(row))));
  const pending: { table: TableSchema; ids: Scalar[] }[] = [{ table, ids: rows.map(idOf) }];
  for (const { table: parent, ids } of pending) {
    for (const { table: name, column } of cascades.filter(({ target }) => target === parent.name)) {
      const child = schema.get(name);
      if (!child) continue;
      const fresh = (await idsWith(write, child, column, ids)).filter((id) => !known.has(keyOf(child, id)));
      for (const id of fresh) known.add(keyOf(child, id));
      for (const row of await readRows(write, child, { ids: fresh, count })) found.push(deletion(child, row));
      if (fresh.length > 0) pending.push({ table: child, ids: fresh });
    }
  }
  return found;
}

/** Of all rows of `table` in whose `column` one of the values stands. */
async function idsWith(
  { context, run }: Write,
  table: TableSchema,
  column: string,
  values: readonly Scalar[],
): Promise<Scalar[]> {
  const ids: Scalar[] = [];
  for (const chunk of chunks(values)) {
    const filter: Filter = { kind: 'in', column, values: chunk };
    for (const row of await run(compileIds({ ...context, table }, filter))) ids.push(idOf(row));
  }
  return ids;
}

const keyOf = (table: TableSchema, id: Scalar) => `${table.name}/${id}`;

const idOf = ({ id }: Row): Scalar => id ?? null;

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
