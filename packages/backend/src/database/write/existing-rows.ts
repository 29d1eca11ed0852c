import type { Row } from '../../core/bus.ts';
import type { Filter, Scalar } from '../../core/filter.ts';
import { compileSelect } from '../query/compile.ts';
import type { Write } from './write.ts';

/** Columns of which no two rows hold the same values. */
export type Key = readonly string[];

/** A row that is there, as it is now. */
export interface KnownRow {
  row: Row;
  /** It is going to be changed. */
  pending: boolean;
}

/** Rows that are there already, by the values of their keys. */
export class KnownRows {
  readonly #byId = new Map<Scalar, KnownRow>();
  readonly #byKey: ReadonlyMap<Key, Map<string, KnownRow>>;

  constructor(keys: readonly Key[]) {
    this.#byKey = new Map(keys.map((key) => [key, new Map()]));
  }

  /** The one that holds the same values in the columns of the key; none when one of them is missing, or null. */
  find(key: Key | undefined, row: Row): KnownRow | undefined {
    const values = key && valuesOf(key, row);
    return key && values && this.#byKey.get(key)?.get(JSON.stringify(values));
  }

  add(row: Row): KnownRow {
    const id = row.id ?? null;
    const known = this.#byId.get(id) ?? { row, pending: false };
    this.#byId.set(id, known);
    this.#note(known);
    return known;
  }

  /** The row as it has become. */
  change(known: KnownRow, row: Row): void {
    for (const rows of this.#byKey.values()) {
      for (const [values, one] of rows) if (one === known) rows.delete(values);
    }
    known.row = row;
    this.#note(known);
  }

  #note(known: KnownRow): void {
    for (const [key, rows] of this.#byKey) {
      const values = valuesOf(key, known.row);
      if (values) rows.set(JSON.stringify(values), known);
    }
  }
}

/** The rows that hold what one of the drafts holds in the columns of one of these keys. */
export async function findKnownRows(
  { context, run }: Write,
  drafts: readonly Row[],
  keys: readonly Key[],
): Promise<KnownRows> {
  const known = new KnownRows(keys);
  for (const key of keys) {
    const filter = holding(key, drafts);
    if (!filter) continue;
    const columns = [...context.table.columns.keys()];
    const order = [{ column: 'id', descending: false, nullsFirst: false }];
    const query = { columns, filter, order, limit: drafts.length, offset: 0, after: undefined };
    for (const row of await run(compileSelect(context, query, { lock: true }))) known.add(row);
  }
  return known;
}

function holding(key: Key, drafts: readonly Row[]): Filter | undefined {
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

/** Null equals nothing. */
function valuesOf(key: Key, row: Row): Scalar[] | undefined {
  const values: Scalar[] = [];
  for (const column of key) {
    const value = row[column];
    if (value === undefined || value === null) return undefined;
    values.push(value);
  }
  return values;
}
