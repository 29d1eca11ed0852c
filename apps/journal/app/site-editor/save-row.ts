import { type FabricaClient, FabricaError, type Where } from '@fabrica/client';
import { readField } from '../sign-in/forms/form-fields.ts';

/** A row that the operator edits. Its `updatedAt` tells whether it changed since it was read. */
export interface EditableRow {
  id: string;
  /** Epoch milliseconds; 0 for a row that is not stored yet. */
  updatedAt: number;
}

/** What a form sends in its field `row`. */
export interface RowChange<Row> {
  table: 'siteSettings' | 'siteTexts';
  /** The row as it was read. */
  base: Row;
  draft: Row;
}

export type SaveResult<Row> =
  | { kind: 'saved'; row: Row }
  /** Somebody else has saved the row since it was read: `row` is theirs, and nothing was written. */
  | { kind: 'conflict'; row: Row }
  | { kind: 'failed'; error: unknown };

/** Saves the row of a form, in the browser. */
export async function submitRow({ db }: Pick<FabricaClient, 'db'>, fields: FormData) {
  const change = JSON.parse(readField(fields, 'row')) as RowChange<EditableRow>;
  return saveRow({ db }, change).catch((error: unknown) => ({ kind: 'failed' as const, error }));
}

/** Writes the columns of `draft` that differ from `base`, unless the stored row is no longer `base`. */
async function saveRow<Row extends EditableRow>(
  { db }: Pick<FabricaClient, 'db'>,
  { table: name, base, draft }: RowChange<Row>,
): Promise<SaveResult<Row>> {
  const table = db.table<Row>(name);
  const changes = changedColumns(base, draft);
  try {
    const row =
      base.updatedAt === 0
        ? await table.create({ ...changes, id: base.id } as Partial<Row>)
        : await table.update(base.id, changes, { where: { updatedAt: base.updatedAt } as Where<Row> });
    return { kind: 'saved', row };
  } catch (error) {
    if (!(error instanceof FabricaError) || (error.status !== 404 && error.status !== 409)) throw error;
    const theirs = await table.get(base.id);
    // Without their row there was no conflict.
    if (!theirs || theirs.updatedAt === base.updatedAt) throw error;
    return { kind: 'conflict', row: theirs };
  }
}

export function changedColumns<Row extends EditableRow>(base: Row, draft: Row): Partial<Row> {
  const names = (Object.keys(draft) as (keyof Row)[]).filter((name) => name !== 'updatedAt');
  return Object.fromEntries(
    names.filter((name) => draft[name] !== base[name]).map((name) => [name, draft[name]]),
  ) as Partial<Row>;
}

/**
 * Returns the row with the changes of both: what `draft` changed in `base`, and what `theirs` changed elsewhere. Columns
 * that both changed keep the draft's value and are named.
 */
export function mergeRows<Row extends EditableRow>(
  base: Row,
  draft: Row,
  theirs: Row,
): { row: Row; both: (keyof Row)[] } {
  const own = changedColumns(base, draft);
  const others = changedColumns(base, theirs);
  const both = (Object.keys(own) as (keyof Row)[]).filter(
    (name) => name in others && own[name] !== theirs[name],
  );
  return { row: { ...theirs, ...own }, both };
}
