import type { Row } from '../../core/bus.ts';
import { forbidden } from '../../core/errors.ts';
import { allOf, type Filter, type Scalar } from '../../core/filter.ts';
import type { CreatePlan } from '../port.ts';
import { completeRow } from './validate-row.ts';
import type { PlanFor, WriteTransaction } from './write-transaction.ts';

/** New rows that are compared with existing ones, and written, together. */
const ROWS_AT_ONCE = 200;

/**
 * Inserts new rows. A row whose values of the conflict target exist already updates the existing row or is ignored,
 * as `onConflict` says; a row that exists already by the table's `onePer` is returned as it is. All rows are written,
 * or none. Returns the rows in the order of the plan, and those of them that are new. Throws FORBIDDEN when a new row,
 * or an existing one that is returned in its place, does not satisfy the create policy; VALIDATION_FAILED.
 */
export async function upsertRows(
  transaction: WriteTransaction,
  plan: PlanFor<CreatePlan>,
): Promise<Pick<Upsert, 'returned' | 'inserted'>> {
  const upsert = new Upsert(transaction, plan);
  for (let start = 0; start < plan.rows.length; start += ROWS_AT_ONCE) {
    await upsert.add(plan.rows.slice(start, start + ROWS_AT_ONCE));
  }
  const { inserted, unchanged } = upsert;
  const { create, read } = plan.permission;
  await transaction.requirePolicy(inserted, create);
  if (unchanged.length > 0) await transaction.requirePolicy(unchanged, create && read && allOf(create, read));
  return upsert;
}

interface PendingWrite {
  existing: ExistingRow;
  /** The values to update; undefined for a new row. */
  changes: Row | undefined;
  /** The index of the row in `returned`. */
  index: number;
}

/** Decides on one row after the other and writes many at a time, with the result of writing each of them at once. */
class Upsert {
  readonly returned: Row[] = [];
  readonly inserted: Row[] = [];
  /** Rows that exist already by the table's `onePer`. */
  readonly unchanged: Row[] = [];
  readonly #transaction: WriteTransaction;
  readonly #plan: PlanFor<CreatePlan>;
  readonly #keys: readonly Key[];
  #existing = new ExistingRows([]);
  #pending: PendingWrite[] = [];

  constructor(transaction: WriteTransaction, plan: PlanFor<CreatePlan>) {
    this.#transaction = transaction;
    this.#plan = plan;
    const { onePer } = transaction.context.table;
    this.#keys = [plan.conflictTarget, onePer].filter((key) => key !== undefined);
  }

  async add(drafts: readonly Row[]): Promise<void> {
    this.#existing = await findExistingRows(this.#transaction, drafts, this.#keys);
    for (const draft of drafts) await this.#decide(draft);
    await this.#flush();
  }

  async #decide(draft: Row): Promise<void> {
    const { table } = this.#transaction.context;
    const { clock, conflictTarget, onConflict } = this.#plan;
    const conflicting = this.#existing.find(conflictTarget, draft);
    const existing = conflicting ?? this.#existing.find(table.onePer, draft);
    if (!existing) {
      const row = completeRow(table, draft, clock);
      this.inserted.push(row);
      this.#enqueue(this.#existing.add(row), undefined);
      return;
    }
    if (existing.pending) await this.#flush();
    if (!conflicting) {
      this.unchanged.push(existing.row);
      this.returned.push(existing.row);
    } else if (onConflict === 'update') {
      await this.#update(existing, draft);
    }
  }

  async #update(existing: ExistingRow, draft: Row): Promise<void> {
    const { update } = this.#plan.permission;
    const differing = Object.entries(draft).filter(([name, value]) => existing.row[name] !== value);
    if (!differing.every(([name]) => update?.columns.has(name))) throw forbidden();
    // Another row may take over a key that this row gives up, or be given the key that this row gets.
    const changesKey = differing.some(([name]) => this.#keys.some((key) => key.includes(name)));
    if (changesKey) await this.#flush();
    this.#enqueue(existing, Object.fromEntries(differing));
    if (changesKey) await this.#flush();
  }

  #enqueue(existing: ExistingRow, changes: Row | undefined): void {
    existing.pending = true;
    this.#pending.push({ existing, changes, index: this.returned.length });
    this.returned.push(existing.row);
  }

  async #flush(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    const { permission, clock } = this.#plan;
    const where = permission.update?.where;
    const toUpdate = pending.filter(({ changes }) => changes !== undefined);
    if (toUpdate.length > 0) {
      const rows = toUpdate.map(({ existing }) => existing.row);
      await this.#transaction.requirePolicy(rows, where && permission.read && allOf(where, permission.read));
    }
    const updated: Row[] = [];
    let toInsert: Row[] = [];
    for (const { existing, changes, index } of pending) {
      existing.pending = false;
      if (!changes) {
        toInsert.push(existing.row);
        continue;
      }
      if (Object.keys(changes).length === 0) continue;
      await this.#transaction.insert(toInsert);
      toInsert = [];
      const rows = await this.#transaction.change([existing.row], { changes, clock });
      for (const row of rows) {
        this.#existing.replace(existing, row);
        this.returned[index] = row;
        updated.push(row);
      }
    }
    await this.#transaction.insert(toInsert);
    if (updated.length > 0) await this.#transaction.requirePolicy(updated, where);
  }
}

/** Columns that hold different values in every two rows. */
type Key = readonly string[];

interface ExistingRow {
  row: Row;
  /** Whether the row is to be written. */
  pending: boolean;
}

/** Finds rows by the values of their keys. */
class ExistingRows {
  readonly #byId = new Map<Scalar, ExistingRow>();
  readonly #byKey: ReadonlyMap<Key, Map<string, ExistingRow>>;

  constructor(keys: readonly Key[]) {
    this.#byKey = new Map(keys.map((key) => [key, new Map()]));
  }

  /** Returns the row with the same values in the columns of the key; undefined when one of them is missing or null. */
  find(key: Key | undefined, row: Row): ExistingRow | undefined {
    const values = key && valuesOf(key, row);
    return key && values && this.#byKey.get(key)?.get(JSON.stringify(values));
  }

  add(row: Row): ExistingRow {
    const id = row.id ?? null;
    const existing = this.#byId.get(id) ?? { row, pending: false };
    this.#byId.set(id, existing);
    this.#index(existing);
    return existing;
  }

  replace(existing: ExistingRow, row: Row): void {
    for (const rows of this.#byKey.values()) {
      for (const [values, one] of rows) if (one === existing) rows.delete(values);
    }
    existing.row = row;
    this.#index(existing);
  }

  #index(existing: ExistingRow): void {
    for (const [key, rows] of this.#byKey) {
      const values = valuesOf(key, existing.row);
      if (values) rows.set(JSON.stringify(values), existing);
    }
  }
}

/** Locks and returns the rows that have the same values as one of the drafts in the columns of one of the keys. */
async function findExistingRows(
  transaction: WriteTransaction,
  drafts: readonly Row[],
  keys: readonly Key[],
): Promise<ExistingRows> {
  const existing = new ExistingRows(keys);
  for (const key of keys) {
    const filter = matchesOneOf(drafts, key);
    if (!filter) continue;
    for (const row of await transaction.lock(filter, drafts.length)) existing.add(row);
  }
  return existing;
}

function matchesOneOf(drafts: readonly Row[], key: Key): Filter | undefined {
  const distinct = new Map<string, Scalar[]>();
  for (const draft of drafts) {
    const values = valuesOf(key, draft);
    if (values) distinct.set(JSON.stringify(values), values);
  }
  const [column = ''] = key;
  if (key.length === 1 && distinct.size > 1) {
    return { kind: 'in', column, values: [...distinct.values()].flat() };
  }
  const of = [...distinct.values()].map((values): Filter => ({ kind: 'and', of: equalities(key, values) }));
  return of.length > 1 ? { kind: 'or', of } : of[0];
}

function equalities(key: Key, values: readonly Scalar[]): Filter[] {
  return key.map((column, index) => {
    return { kind: 'compare', column, operator: 'eq', value: values[index] ?? null };
  });
}

/** Returns undefined when one of the values is missing, or null: null equals nothing. */
function valuesOf(key: Key, row: Row): Scalar[] | undefined {
  const values = key.map((column) => row[column] ?? null);
  return values.includes(null) ? undefined : values;
}
