import type { Row } from '../../../core/bus.ts';
import type { Scalar } from '../../../core/filter.ts';
import type { OrderTerm } from '../../../database/query/query.ts';

/** Sorts rows that were written as the engines sort rows that are read. */
export function sortRows(rows: readonly Row[], order: readonly OrderTerm[]): Row[] {
  return rows.toSorted((left, right) => {
    for (const { column, descending, nullsFirst } of order) {
      const [a, b] = [left[column] ?? null, right[column] ?? null];
      if (a === b) continue;
      if (a === null || b === null) return (a === null) === nullsFirst ? -1 : 1;
      return compare(a, b) * (descending ? -1 : 1);
    }
    return 0;
  });
}

/** Compares texts by their bytes in UTF-8, as the engines do. */
function compare(a: Exclude<Scalar, null>, b: Exclude<Scalar, null>): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
