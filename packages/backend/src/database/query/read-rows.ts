import type { Row } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';
import type { Scalar } from '../../core/filter.ts';
import type { TableSchema } from '../schema.ts';
import type { Write } from '../write/write.ts';
import { compileRows } from './compile.ts';

/** Rows of one statement: few as long as nobody knows how long they are … */
const FEWEST = 25;
/** … and never more, since engines bound the parameters. */
const MOST = 500;
/** Characters that one statement should answer, about. */
const CHARACTERS_AT_ONCE = 1_000_000;

/** Is told of rows that are going to be held. Throws VALIDATION_FAILED when they are too much. */
export type CountCharacters = (rows: readonly Row[]) => void;

/** Rows are held from when they are read until their events are told: this is how much of them may be. */
export function boundCharacters(most: number, sentence: string): CountCharacters {
  let taken = 0;
  return (rows) => {
    taken += charactersIn(rows);
    // A single row can always be touched.
    if (taken > most && rows.length > 1) throw new AppError('VALIDATION_FAILED', sentence);
  };
}

/** All columns of the rows with these ids, in this order; those that are gone are left out. */
export async function readRows(
  { context, run }: Pick<Write, 'context' | 'run'>,
  table: TableSchema,
  { ids, count }: { ids: readonly Scalar[]; count?: CountCharacters | undefined },
): Promise<Row[]> {
  const rows: Row[] = [];
  let size = FEWEST;
  for (let at = 0, next = 0; at < ids.length; at = next) {
    next = Math.min(at + size, ids.length);
    const values = ids.slice(at, next);
    const part = await run(
      compileRows({ ...context, table }, { kind: 'in', column: 'id', values }, values.length),
    );
    count?.(part);
    const byId = new Map(part.map((row) => [row.id, row]));
    for (const id of values) {
      const row = byId.get(id);
      if (row) rows.push(row);
    }
    const average = charactersIn(part) / Math.max(part.length, 1);
    size = Math.min(MOST, Math.max(FEWEST, Math.floor(CHARACTERS_AT_ONCE / Math.max(average, 1))));
  }
  return rows;
}

function charactersIn(rows: readonly Row[]): number {
  let characters = 0;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === 'string') characters += value.length;
    }
  }
  return characters;
}
