import type { Row } from '../../core/bus.ts';
import type { Caller } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import { type Filter, noRow } from '../../core/filter.ts';
import { ROW_SEPARATOR } from '../../database/query/compile.ts';
import type { Query } from '../../database/query/query.ts';
import { OWNER_COLUMN, type TableSchema } from '../../database/schema.ts';

/** Tells whether the table does not show the caller whose its rows are. */
export function hidesOwner(table: Pick<TableSchema, 'hidesOwner'>, caller: Caller): boolean {
  return table.hidesOwner && caller.kind === 'anonymous';
}

/**
 * Returns the query with conditions on the owner that are false for all rows: false rather than unknown, so that their
 * negation tells nothing either. Throws VALIDATION_FAILED for an order by the owner, which would tell which rows are of one
 * account.
 */
export function withoutOwnerConditions(query: Query): Query {
  if (query.order.some(({ column }) => column === OWNER_COLUMN)) {
    throw new AppError('VALIDATION_FAILED', `Sign in to sort the rows of this table by "${OWNER_COLUMN}".`);
  }
  return { ...query, filter: falsify(query.filter) };
}

function falsify(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, of: filter.of.map(falsify) };
    case 'not':
      return { kind: 'not', of: falsify(filter.of) };
    case 'permitted':
      return filter;
    default:
      return filter.column === OWNER_COLUMN ? noRow : filter;
  }
}

/** Returns the rows with null for their owners. */
export function withoutOwners(rows: readonly Row[]): Row[] {
  return rows.map((row) => (OWNER_COLUMN in row ? { ...row, [OWNER_COLUMN]: null } : row));
}

/** Does the same with the text of a list of rows. */
export function listWithoutOwners(list: string): string {
  const rows = withoutOwners(JSON.parse(`[${list}]`) as Row[]);
  return rows.map((row) => JSON.stringify(row)).join(ROW_SEPARATOR);
}
