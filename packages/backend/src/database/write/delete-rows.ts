import type { Change, Row } from '../../core/bus.ts';
import type { Filter, Scalar } from '../../core/filter.ts';
import { changeOf } from '../changes.ts';
import type { DeletePlan } from '../port.ts';
import { compileDelete, compileIds } from '../query/compile.ts';
import type { TableSchema } from '../schema.ts';
import { type MemoryLimit, readRowsById } from './read-rows.ts';
import { findWritableRows } from './writable-rows.ts';
import { chunks, idOf, type PlanFor, type WriteTransaction } from './write-transaction.ts';

export interface DeleteLimits {
  rows: MemoryLimit;
  /** For the rows that cascades delete. */
  dependents: MemoryLimit;
}

/**
 * Deletes the rows of the query that the policy lets the caller delete, and returns them. The rows that cascades
 * delete along with them are recorded as changes too. Throws FORBIDDEN when there are rows but the policy excludes
 * all of them.
 */
export async function deleteRows(
  transaction: WriteTransaction,
  { query, permission, maxAffected, cascades }: PlanFor<DeletePlan>,
  limits?: DeleteLimits,
): Promise<Row[]> {
  const { context, run, changes } = transaction;
  const { table } = context;
  const options = { where: permission.delete, maxAffected, limit: limits?.rows };
  const rows = await findWritableRows(transaction, query, options);
  for (const row of rows) changes.push(changeOf(table.name, row, null));
  const dependents = await findDependents(transaction, rows, { cascades, limit: limits?.dependents });
  for (const change of dependents) changes.push(change);
  for (const ids of chunks(rows.map(idOf))) await run(compileDelete(context, ids));
  return rows;
}

/** Returns the deletions that follow from the deletion of these rows through cascades, each row once. */
async function findDependents(
  transaction: WriteTransaction,
  rows: readonly Row[],
  { cascades, limit }: Pick<DeletePlan, 'cascades'> & { limit: MemoryLimit | undefined },
): Promise<Change[]> {
  const { schema, table } = transaction.context;
  const found: Change[] = [];
  const seen = new Set(rows.map((row) => keyOf(table, idOf(row))));
  const pending: { table: TableSchema; ids: Scalar[] }[] = [{ table, ids: rows.map(idOf) }];
  for (const { table: parent, ids } of pending) {
    for (const { table: name, column } of cascades.filter(({ target }) => target === parent.name)) {
      const child = schema.get(name);
      if (!child) continue;
      const referring = await findReferringIds(transaction, child, { column, ids });
      const unseen = referring.filter((id) => !seen.has(keyOf(child, id)));
      for (const id of unseen) seen.add(keyOf(child, id));
      for (const row of await readRowsById(transaction, child, { ids: unseen, limit }))
        found.push(changeOf(child.name, row, null));
      if (unseen.length > 0) pending.push({ table: child, ids: unseen });
    }
  }
  return found;
}

/** Returns the ids of all rows of `table` whose `column` holds one of these ids. */
async function findReferringIds(
  { context, run }: WriteTransaction,
  table: TableSchema,
  { column, ids }: { column: string; ids: readonly Scalar[] },
): Promise<Scalar[]> {
  const referring: Scalar[] = [];
  for (const values of chunks(ids)) {
    const filter: Filter = { kind: 'in', column, values };
    for (const row of await run(compileIds({ ...context, table }, filter))) referring.push(idOf(row));
  }
  return referring;
}

const keyOf = (table: TableSchema, id: Scalar) => `${table.name}/${id}`;
