import type { Row } from '../bus.ts';
import type { Filter } from '../filter.ts';
import { both, forbidden } from './authorize.ts';
import { compileInsert, compileRows } from './compile.ts';
import { countAmong } from './transaction.ts';
import { changeRow } from './update-rows.ts';
import { type Clock, completeRow } from './validate-row.ts';
import type { Write } from './write-plan.ts';

export interface CreateOptions {
  clock: Clock;
  /** Columns by which a row is there already. */
  conflict: readonly string[] | undefined;
  /** What becomes of such a row. */
  resolution: 'merge' | 'ignore';
}

export interface Created {
  /** The rows that were made, changed, or found to be there already, in the order they were given. */
  rows: Row[];
  /** How many of them are new. */
  created: number;
}

/**
 * Writes new rows, or none of them. Every new row must satisfy the create policy, and so must one that is answered
 * in its place. Throws FORBIDDEN, VALIDATION_FAILED.
 */
export async function createRows(
  write: Write,
  given: readonly Row[],
  options: CreateOptions,
): Promise<Created> {
  const rows: Row[] = [];
  const inserted: Row[] = [];
  const kept: Row[] = [];
  for (const draft of given) {
    const conflicting = await findSame(write, options.conflict, draft);
    const same = conflicting ?? (await findSame(write, write.context.table.onePer, draft));
    if (!same) {
      const row = await insert(write, completeRow(write.context.table, draft, options.clock));
      inserted.push(row);
      rows.push(row);
    } else if (!conflicting) {
      kept.push(same);
      rows.push(same);
    } else if (options.resolution === 'merge') {
      rows.push(await merge(write, same, draft, options.clock));
    }
  }
  await requireSatisfied(write, inserted, write.permission.create);
  if (kept.length > 0) await requireKept(write, kept);
  return { rows, created: inserted.length };
}

async function requireKept(write: Write, kept: readonly Row[]): Promise<void> {
  const { create, read } = write.permission;
  await requireSatisfied(write, kept, create && read && both(create, read));
}

async function requireSatisfied(
  write: Write,
  rows: readonly Row[],
  check: Filter | undefined,
): Promise<void> {
  if (!check) throw forbidden();
  const ids = [...new Set(rows.map(({ id }) => id ?? null))];
  if ((await countAmong(write, ids, check)) !== ids.length) throw forbidden();
}

async function insert({ context, run, changes }: Write, row: Row): Promise<Row> {
  await run(compileInsert(context, row));
  changes.push({
    table: context.table.name,
    operation: 'create',
    id: String(row.id),
    changed: Object.keys(row),
    before: null,
    after: row,
  });
  return row;
}

/** The row that holds the draft's values in `columns`; none when the draft lacks one of them. */
async function findSame(
  { context, run }: Write,
  columns: readonly string[] | undefined,
  draft: Row,
): Promise<Row | undefined> {
  if (!columns || columns.some((column) => draft[column] === undefined)) return undefined;
  const of = columns.map((column): Filter => {
    return { kind: 'compare', column, operator: 'eq', value: draft[column] ?? null };
  });
  const [row] = await run(compileRows(context, { kind: 'and', of }, 1));
  return row;
}

async function merge(write: Write, row: Row, draft: Row, clock: Clock): Promise<Row> {
  const { update, read } = write.permission;
  const { where } = update ?? {};
  await requireSatisfied(write, [row], where && read && both(where, read));
  const differing = Object.fromEntries(Object.entries(draft).filter(([name, value]) => row[name] !== value));
  if (Object.keys(differing).length === 0) return row;
  if (!Object.keys(differing).every((name) => update?.columns.has(name))) throw forbidden();
  const changed = await changeRow(write, row, differing, clock);
  await requireSatisfied(write, [changed], where);
  return changed;
}
