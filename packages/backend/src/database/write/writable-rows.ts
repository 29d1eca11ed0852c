import { MAX_ROW_LIMIT } from '@fabrica/contract';
import type { Row } from '../../core/bus.ts';
import { AppError, forbidden } from '../../core/errors.ts';
import { allOf, type Filter } from '../../core/filter.ts';
import { compileRows, compileSelect } from '../query/compile.ts';
import type { Query } from '../query/query.ts';
import { type MemoryLimit, readRowsById } from './read-rows.ts';
import { idOf, type WriteTransaction } from './write-transaction.ts';

/** So many of the largest rows fit into memory at once. */
const FEW_ROWS = 25;

export interface WritableRowsOptions {
  /** The policy of the operation. */
  where: Filter | undefined;
  /** The most rows that the caller wants to be affected. */
  maxAffected: number | undefined;
  /** Counts all rows that are read: they are held in memory until the write is over. */
  limit: MemoryLimit | undefined;
}

/**
 * Locks and returns the rows of a query that the policy lets the caller update or delete; the query holds only rows
 * that the caller may read. Throws FORBIDDEN when there are rows but the policy excludes all of them, and
 * VALIDATION_FAILED when there are more than one request, or this one, may affect.
 */
export async function findWritableRows(
  transaction: WriteTransaction,
  query: Query,
  { where, maxAffected, limit }: WritableRowsOptions,
): Promise<Row[]> {
  if (!where) throw forbidden();
  const { context, run } = transaction;
  const writable = { ...query, filter: allOf(query.filter, where) };
  const few = await run(
    compileSelect(context, writable, {
      columns: [...context.table.columns.keys()],
      limit: Math.min(query.limit, FEW_ROWS + 1),
      lock: true,
    }),
  );
  if (few.length === 0 && query.limit > 0) {
    const readable = await run(compileRows(context, query.filter, 1));
    if (readable.length > 0) throw forbidden();
  }
  if (few.length <= FEW_ROWS) {
    requireAtMost(few.length, maxAffected);
    limit?.(few);
    return few;
  }
  const found = await run(compileSelect(context, writable, { columns: ['id'], lock: true }));
  requireAtMost(found.length, maxAffected);
  return readRowsById(transaction, context.table, { ids: found.map(idOf), limit });
}

function requireAtMost(found: number, maxAffected: number | undefined): void {
  if (maxAffected !== undefined && found > maxAffected) {
    throw new AppError(
      'VALIDATION_FAILED',
      `More rows would be touched than the ${maxAffected} that max-affected allows: nothing was written.`,
    );
  }
  if (found > MAX_ROW_LIMIT) {
    throw new AppError(
      'VALIDATION_FAILED',
      `One request may change ${MAX_ROW_LIMIT} rows at most: narrow the filter, or set a limit.`,
    );
  }
}
