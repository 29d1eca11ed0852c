import { MAX_ROW_LIMIT } from '@fabrica/contract';
import type { Row } from '../bus.ts';
import type { Filter } from '../filter.ts';
import { ServiceError } from '../http/errors.ts';
import { both, forbidden } from './authorize.ts';
import { compileRows, compileSelect } from './compile.ts';
import type { Query } from './query.ts';
import type { Write } from './write-plan.ts';

/**
 * The rows of a query, already confined to what the caller may read, that a policy lets it change or delete too.
 * Throws FORBIDDEN when rows are there and none of them is the caller's to touch; VALIDATION_FAILED when there are
 * more than one request may touch.
 */
export async function findTouchable({ context, run }: Write, query: Query, allowed: Filter): Promise<Row[]> {
  const filter = both(query.filter, allowed);
  const columns = [...context.table.columns.keys()];
  const rows = await run(compileSelect(context, { ...query, filter }, { columns }));
  if (rows.length > MAX_ROW_LIMIT) {
    throw new ServiceError(
      'VALIDATION_FAILED',
      `One request may change ${MAX_ROW_LIMIT} rows at most: narrow the filter, or set a limit.`,
    );
  }
  if (rows.length > 0 || query.limit === 0) return rows;
  const readable = await run(compileRows(context, query.filter, 1));
  if (readable.length > 0) throw forbidden();
  return [];
}
