import type { Row } from '../bus.ts';
import type { Filter } from '../filter.ts';
import { forbidden } from './authorize.ts';
import { compileUpdate } from './compile.ts';
import type { Query } from './query.ts';
import type { TableSchema } from './schema.ts';
import { findTouchable } from './touchable.ts';
import { countAmong } from './transaction.ts';
import { type Clock, columnName, writeStamps } from './validate-row.ts';
import type { Write } from './write-plan.ts';

/** Throws FORBIDDEN when a column is named that this caller may not change, UNKNOWN_COLUMN. */
export function requireUpdatable(
  table: TableSchema,
  { columns }: { columns: ReadonlySet<string> },
  given: Readonly<Record<string, unknown>>,
): void {
  for (const name of Object.keys(given)) if (!columns.has(columnName(table, name))) throw forbidden();
}

/**
 * Changes the rows of the query that the policy lets this caller change, and answers them as they are now.
 * Throws FORBIDDEN when there are rows but none of them may be changed, or when one would leave the policy.
 */
export async function updateRows(
  write: Write,
  query: Query,
  { changes, where, clock }: { changes: Row; where: Filter; clock: Clock },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const row of await findTouchable(write, query, where))
    rows.push(await changeRow(write, row, changes, clock));
  const ids = rows.map(({ id }) => id ?? null);
  if ((await countAmong(write, ids, where)) !== ids.length) throw forbidden();
  return rows;
}

/** Writes one row's changes and the stamps of the hour. */
export async function changeRow(
  { context, run, changes: written }: Write,
  before: Row,
  changes: Row,
  clock: Clock,
): Promise<Row> {
  const all = { ...writeStamps(context.table, changes, clock), ...changes };
  await run(compileUpdate(context, before.id ?? null, all));
  const after = { ...before, ...all };
  written.push({
    table: context.table.name,
    operation: 'update',
    id: String(after.id),
    changed: Object.keys(after).filter((name) => after[name] !== before[name]),
    before,
    after,
  });
  return after;
}
