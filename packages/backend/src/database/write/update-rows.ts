import type { Row } from '../../core/bus.ts';
import { forbidden } from '../../core/errors.ts';
import type { Clock } from '../port.ts';
import { compileUpdate } from '../query/compile.ts';
import type { Query } from '../query/query.ts';
import type { TableSchema } from '../schema.ts';
import { chunks, countAmong } from './check-rows.ts';
import { columnName, writeStamps } from './validate-row.ts';
import { findTouchable, type Touching } from './writable-rows.ts';
import type { Write } from './write.ts';

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
  { changes, clock, ...touching }: Touching & { changes: Row; clock: Clock },
): Promise<Row[]> {
  const found = await findTouchable(write, query, touching);
  const rows = await changeRows(write, found, changes, clock);
  const ids = rows.map(({ id }) => id ?? null);
  if ((await countAmong(write, ids, touching.where)) !== ids.length) throw forbidden();
  return rows;
}

/** Writes the same changes to all of these rows, and the stamps of the hour; answers them as they are now. */
export async function changeRows(
  { context, run, changes: written }: Write,
  found: readonly Row[],
  changes: Row,
  clock: Clock,
): Promise<Row[]> {
  const all = { ...writeStamps(context.table, changes, clock), ...changes };
  for (const ids of chunks(found.map(({ id }) => id ?? null))) await run(compileUpdate(context, ids, all));
  return found.map((before) => {
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
  });
}
