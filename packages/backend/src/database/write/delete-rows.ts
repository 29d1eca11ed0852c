import type { Row } from '../../core/bus.ts';
import type { Filter, Scalar } from '../../core/filter.ts';
import { changeOf } from '../changes.ts';
import type { DeletePlan } from '../port.ts';
import { compileDelete, compileIds, compileSelect } from '../query/compile.ts';
import type { TableSchema } from '../schema.ts';
import { charactersIn, type MemoryLimit, readRowsById } from './read-rows.ts';
import { findWritableRows } from './writable-rows.ts';
import { chunks, idOf, type PlanFor, type WriteTransaction } from './write-transaction.ts';

/** Characters of dependent rows that are held in memory; further ones are read without their long texts. */
const MAX_DEPENDENT_CHARACTERS = 16_000_000;
/** A text that may have more characters than this is long. */
const LONG_TEXT = 4_000;

/**
 * Deletes the rows of the query that the policy lets the caller delete, and returns them. The rows that cascades
 * delete along with them, however many, are recorded as changes too; when they are too long together, the changes lack
 * their long texts. Throws FORBIDDEN when there are rows but the policy excludes all of them.
 */
export async function deleteRows(
  transaction: WriteTransaction,
  { query, permission, maxAffected, cascades }: PlanFor<DeletePlan>,
  limit?: MemoryLimit,
): Promise<Row[]> {
  const { context, run, changes } = transaction;
  const { table } = context;
  const rows = await findWritableRows(transaction, query, { where: permission.delete, maxAffected, limit });
  for (const row of rows) changes.push(changeOf(table.name, row, null));
  const dependents = await findDependents(transaction, rows, cascades);
  for (const { table: child, rows: found } of dependents)
    for (const row of found) changes.push(changeOf(child.name, row, null));
  // Those that depend on others go first, some at a time: one statement for all of them could take too long.
  for (const { table: child, rows: found } of dependents.reverse())
    for (const ids of chunks(found.map(idOf))) await run(compileDelete({ ...context, table: child }, ids));
  for (const ids of chunks(rows.map(idOf))) await run(compileDelete(context, ids));
  return rows;
}

interface RowsOfTable {
  table: TableSchema;
  rows: Row[];
}

/** Returns the rows that are deleted along with these through cascades, each row once, and after those it refers to. */
async function findDependents(
  transaction: WriteTransaction,
  rows: readonly Row[],
  cascades: DeletePlan['cascades'],
): Promise<RowsOfTable[]> {
  const { schema, table } = transaction.context;
  const found: RowsOfTable[] = [];
  const seen = new Set(rows.map((row) => keyOf(table, idOf(row))));
  const memory = { characters: 0 };
  const pending: { table: TableSchema; ids: Scalar[] }[] = [{ table, ids: rows.map(idOf) }];
  for (const { table: parent, ids } of pending) {
    for (const { table: name, column } of cascades.filter(({ target }) => target === parent.name)) {
      const child = schema.get(name);
      if (!child) continue;
      const referring = await findReferringIds(transaction, child, { column, ids });
      const unseen = referring.filter((id) => !seen.has(keyOf(child, id)));
      for (const id of unseen) seen.add(keyOf(child, id));
      if (unseen.length === 0) continue;
      found.push({ table: child, rows: await readDependents(transaction, child, { ids: unseen, memory }) });
      pending.push({ table: child, ids: unseen });
    }
  }
  return found;
}

/** Returns the rows with these ids; without long texts once `memory` is full. */
async function readDependents(
  transaction: WriteTransaction,
  table: TableSchema,
  { ids, memory }: { ids: readonly Scalar[]; memory: { characters: number } },
): Promise<Row[]> {
  const { context, run } = transaction;
  const rows: Row[] = [];
  for (const values of chunks(ids)) {
    if (memory.characters <= MAX_DEPENDENT_CHARACTERS) {
      const whole = await readRowsById(transaction, table, { ids: values, limit: undefined });
      memory.characters += charactersIn(whole);
      for (const row of whole) rows.push(row);
      continue;
    }
    const filter: Filter = { kind: 'in', column: 'id', values };
    const query = { columns: shortColumns(table), filter, order: BY_ID, limit: values.length, offset: 0 };
    for (const row of await run(compileSelect({ ...context, table }, { ...query, after: undefined })))
      rows.push(row);
  }
  return rows;
}

const BY_ID = [{ column: 'id', descending: false, nullsFirst: false }];

function shortColumns({ columns }: TableSchema): string[] {
  return [...columns]
    .filter(([, rule]) => rule.type !== 'text' || rule.max <= LONG_TEXT)
    .map(([name]) => name);
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
