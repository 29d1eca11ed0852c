import type { Row } from '../../core/bus.ts';
import type { Caller } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import { allOf, type Filter, noRow } from '../../core/filter.ts';
import { ROW_SEPARATOR } from '../../database/query/compile-list.ts';
import type { Query } from '../../database/query/query.ts';
import { OWNER_COLUMN, type TableSchema } from '../../database/schema.ts';

/** Tells whether the table does not show the caller whose its rows are, but for the caller's own. */
export function hidesOwner(table: Pick<TableSchema, 'hidesOwner'>, caller: Caller): boolean {
  return table.hidesOwner && caller.kind !== 'service';
}

/**
 * Returns the query with conditions on the owner that are false for all rows but the caller's: false rather than unknown, so
 * that their negation tells nothing either. Throws VALIDATION_FAILED for an order by the owner, which would tell which rows
 * are of one account.
 */
export function withoutOwnerConditions(query: Query, caller: Caller): Query {
  if (query.order.some(({ column }) => column === OWNER_COLUMN)) {
    throw new AppError('VALIDATION_FAILED', `The rows of this table are not sorted by "${OWNER_COLUMN}".`);
  }
  const own: Filter =
    caller.kind === 'user'
      ? { kind: 'compare', column: OWNER_COLUMN, operator: 'eq', value: caller.id }
      : noRow;
  return { ...query, filter: limitToOwn(query.filter, own) };
}

function limitToOwn(filter: Filter, own: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, of: filter.of.map((inner) => limitToOwn(inner, own)) };
    case 'not':
      return { kind: 'not', of: limitToOwn(filter.of, own) };
    case 'permitted':
      return filter;
    default:
      return filter.column === OWNER_COLUMN ? allOf(filter, own) : filter;
  }
}

/** Returns the rows with null for the owners of all but the caller's. */
export function withoutOwners(rows: readonly Row[], caller: Caller): Row[] {
  const own = caller.kind === 'user' ? caller.id : undefined;
  return rows.map((row) =>
    OWNER_COLUMN in row && row[OWNER_COLUMN] !== own ? { ...row, [OWNER_COLUMN]: null } : row,
  );
}

/** Does the same with the text of a list of rows. */
export function listWithoutOwners(list: string, caller: Caller): string {
  const rows = withoutOwners(JSON.parse(`[${list}]`) as Row[], caller);
  return rows.map((row) => JSON.stringify(row)).join(ROW_SEPARATOR);
}
