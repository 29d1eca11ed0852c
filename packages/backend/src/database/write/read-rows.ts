import type { Row } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';
import type { Scalar } from '../../core/filter.ts';
import { compileRows } from '../query/compile.ts';
import type { TableSchema } from '../schema.ts';
import type { WriteTransaction } from './write-transaction.ts';

/** Rows of a statement while their length is not known. */
const MIN_ROWS = 25;
/** Engines bound the parameters of a statement. */
const MAX_ROWS = 500;
/** Characters that one statement should return, roughly. */
const TARGET_CHARACTERS = 1_000_000;

/** Counts rows that a write holds in memory. Throws VALIDATION_FAILED when they are too long together. */
export type MemoryLimit = (rows: readonly Row[]) => void;

/** Returns a limit on the characters of all rows that are counted. A single row always passes. */
export function limitCharacters(max: number, message: string): MemoryLimit {
  let total = 0;
  return (rows) => {
    total += charactersIn(rows);
    if (total > max && rows.length > 1) throw new AppError('VALIDATION_FAILED', message);
  };
}

/** Returns all columns of the rows with these ids, in this order. Rows that no longer exist are left out. */
export async function readRowsById(
  { context, run }: WriteTransaction,
  table: TableSchema,
  { ids, limit }: { ids: readonly Scalar[]; limit: MemoryLimit | undefined },
): Promise<Row[]> {
  const rows: Row[] = [];
  let size = MIN_ROWS;
  for (let start = 0, end = 0; start < ids.length; start = end) {
    end = Math.min(start + size, ids.length);
    const values = ids.slice(start, end);
    const part = await run(
      compileRows({ ...context, table }, { kind: 'in', column: 'id', values }, values.length),
    );
    limit?.(part);
    const byId = new Map(part.map((row) => [row.id, row]));
    for (const id of values) {
      const row = byId.get(id);
      if (row) rows.push(row);
    }
    const average = charactersIn(part) / Math.max(part.length, 1);
    size = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.floor(TARGET_CHARACTERS / Math.max(average, 1))));
  }
  return rows;
}

/** Returns the number of characters of all texts of the rows. */
export function charactersIn(rows: readonly Row[]): number {
  let characters = 0;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === 'string') characters += value.length;
    }
  }
  return characters;
}
