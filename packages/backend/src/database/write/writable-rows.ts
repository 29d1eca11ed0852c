import { MAX_ROW_LIMIT } from '@fabrica/contract';
import type { Row } from '../../core/bus.ts';
import { AppError, forbidden } from '../../core/errors.ts';
import { allOf, type Filter } from '../../core/filter.ts';
import { compileRows, compileSelect } from '../query/compile.ts';
import type { Query } from '../query/query.ts';
import { type CountCharacters, readRows } from '../query/read-rows.ts';
import type { Write } from './write.ts';

/** Of the largest rows there are, so many at once do no harm. */
const FEW_ROWS = 25;

export interface Touching {
  /** Rows that the policy lets this caller touch. */
  where: Filter;
  /** The most that the caller wants to be touched. */
  mostRows?: number | undefined;
  /** Told of all rows that are read, as they are held in memory until the write is over. */
  count?: CountCharacters | undefined;
}

/**
 * The rows of a query, already confined to what the caller may read, that a policy lets it change or delete too.
 * Throws FORBIDDEN when rows are there and none of them is the caller's to touch; VALIDATION_FAILED when there are
 * more than one request may touch, or more than this one wants to.
 */
export async function findTouchable(write: Write, query: Query, touching: Touching): Promise<Row[]> {
  const { context, run } = write;
  const { where, mostRows, count } = touching;
  const touchable = { ...query, filter: allOf(query.filter, where) };
  const columns = [...context.table.columns.keys()];
  const limit = Math.min(query.limit, FEW_ROWS + 1);
  const few = await run(compileSelect(context, touchable, { columns, limit, lock: true }));
  if (few.length === 0 && query.limit > 0) {
    const readable = await run(compileRows(context, query.filter, 1));
    if (readable.length > 0) throw forbidden();
  }
  if (few.length <= FEW_ROWS) {
    requireAtMost(few.length, mostRows);
    count?.(few);
    return few;
  }
  const found = await run(compileSelect(context, touchable, { columns: ['id'], lock: true }));
  requireAtMost(found.length, mostRows);
  return readRows(write, context.table, { ids: found.map(({ id }) => id ?? null), count });
}

function requireAtMost(found: number, mostRows: number | undefined): void {
  if (mostRows !== undefined && found > mostRows) {
    throw new AppError(
      'VALIDATION_FAILED',
      `More rows would be touched than the ${mostRows} that max-affected allows: nothing was written.`,
    );
  }
  if (found > MAX_ROW_LIMIT) {
    throw new AppError(
      'VALIDATION_FAILED',
      `One request may change ${MAX_ROW_LIMIT} rows at most: narrow the filter, or set a limit.`,
    );
  }
}
