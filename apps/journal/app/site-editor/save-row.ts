import { FabricaError, type TableClient, type Where } from '@fabrica/client';

/** A row that the operator edits. Its `updatedAt` tells whether it changed since it was read. */
export interface EditableRow {
  id: string;
  /** Epoch milliseconds; 0 for a row that is not stored yet. */
  updatedAt: number;
}

type SaveResult<Row> =
  | { kind: 'saved'; row: Row }
  /** Somebody else has saved the row since it was read: `row` is theirs, and nothing was written. */
  | { kind: 'conflict'; row: Row };

/**
 * Writes the columns of `draft` that differ from `base`, unless the stored row is no longer `base`. Throws the client's
 * errors.
 */
export async function saveRow<Row extends EditableRow>(
  table: TableClient<Row>,
  { base, draft }: { base: Row; draft: Row },
): Promise<SaveResult<Row>> {
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
