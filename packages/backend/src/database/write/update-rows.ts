import type { Row } from '../../core/bus.ts';
import { changeOf } from '../changes.ts';
import type { UpdatePlan } from '../port.ts';
import { compileUpdate } from '../query/compile.ts';
import type { MemoryLimit } from './read-rows.ts';
import { requirePolicy } from './require-policy.ts';
import { writeStamps } from './validate-row.ts';
import { findWritableRows } from './writable-rows.ts';
import { chunks, idOf, type PlanFor, type WriteTransaction } from './write-transaction.ts';

/**
 * Updates the rows of the query that the policy lets the caller update, and returns them as they are now. Throws
 * FORBIDDEN when there are rows but the policy excludes all of them, or when a row no longer satisfies the policy.
 */
export async function updateRows(
  transaction: WriteTransaction,
  plan: PlanFor<UpdatePlan>,
  limit?: MemoryLimit,
): Promise<Row[]> {
  const { query, permission, maxAffected } = plan;
  const where = permission.update?.where;
  const rows = await findWritableRows(transaction, query, { where, maxAffected, limit });
  const updated = await applyChanges(transaction, rows, plan);
  await requirePolicy(transaction, updated, where);
  return updated;
}

/** Writes the same changes to all of these rows, and the stamps of a write; returns the rows as they are now. */
export async function applyChanges(
  { context, run, changes: written }: WriteTransaction,
  rows: readonly Row[],
  { changes, clock }: Pick<UpdatePlan, 'changes' | 'clock'>,
): Promise<Row[]> {
  const { table } = context;
  const values = { ...writeStamps(table, changes, clock), ...changes };
  for (const ids of chunks(rows.map(idOf))) await run(compileUpdate(context, ids, values));
  return rows.map((before) => {
    const after = { ...before, ...values };
    written.push(changeOf(table.name, before, after));
    return after;
  });
}
