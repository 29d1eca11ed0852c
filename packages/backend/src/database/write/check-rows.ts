import { AppError } from '../../core/errors.ts';
import { allOf, type Filter, type Scalar } from '../../core/filter.ts';
import type { Violation } from '../port.ts';
import { compileCount } from '../query/compile.ts';
import type { Write } from './write.ts';

/** Ids of one statement at most: engines bound the parameters. */
const IDS_PER_STATEMENT = 500;

/** What a promise of the tables that a write would have broken means to its caller, without a word of SQL. */
export function refusal(violation: Violation, cause: unknown): AppError {
  switch (violation) {
    case 'unique':
      return new AppError('CONFLICT', 'There is a row with these values already.', { cause });
    case 'foreign-key':
      return new AppError('VALIDATION_FAILED', 'This refers to a row that does not exist.', { cause });
    case 'not-null':
    case 'check':
      return new AppError('VALIDATION_FAILED', 'The row is not one that this table takes.', { cause });
  }
}

/** How many of the rows with these ids satisfy the filter. */
export async function countAmong(
  { context, run }: Write,
  ids: readonly Scalar[],
  filter: Filter,
): Promise<number> {
  let total = 0;
  for (const values of chunks(ids)) {
    const [row] = await run(compileCount(context, allOf({ kind: 'in', column: 'id', values }, filter)));
    total += Number(row?.total);
  }
  return total;
}

export function chunks<T>(values: readonly T[], size = IDS_PER_STATEMENT): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < values.length; at += size) parts.push(values.slice(at, at + size));
  return parts;
}
