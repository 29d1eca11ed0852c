/**
 * The one filter language: requests are parsed into it, row policies are written in it, and one
 * compiler turns it into SQL (`database/query/compile.ts`).
 */

import type { ComparisonOperator } from '@fabrica/contract';

export type Scalar = string | number | boolean | null;

/** A value that is known only with a request: a property of its caller. */
interface CallerValue {
  caller: 'id' | 'email' | 'name';
}

export type Operand = Scalar | CallerValue;

export type Filter =
  | { kind: 'compare'; column: string; operator: ComparisonOperator; value: Operand }
  | { kind: 'is'; column: string; value: 'null' | 'true' | 'false' }
  | { kind: 'in'; column: string; values: readonly Operand[] }
  | { kind: 'and' | 'or'; of: readonly Filter[] }
  | { kind: 'not'; of: Filter }
  /** The row of `table` whose id stands in `column` satisfies `where`. */
  | { kind: 'through'; column: string; table: string; where: Filter }
  /** The caller's role grants the permission. Row policies alone have it; it is resolved before SQL is compiled. */
  | { kind: 'permitted'; permission: string };

/** Filters that every row satisfies, and none. */
export const everyRow: Filter = { kind: 'and', of: [] };
export const noRow: Filter = { kind: 'or', of: [] };

/** The caller's id, e-mail address, and public name (display name, else "Anonymous"). */
export const callerId: CallerValue = { caller: 'id' };
export const callerEmail: CallerValue = { caller: 'email' };
export const callerName: CallerValue = { caller: 'name' };

export function equals(column: string, value: Operand): Filter {
  return { kind: 'compare', column, operator: 'eq', value };
}

export function allOf(...of: Filter[]): Filter {
  return { kind: 'and', of };
}

export function anyOf(...of: Filter[]): Filter {
  return { kind: 'or', of };
}

export function not(of: Filter): Filter {
  return { kind: 'not', of };
}

export type Permitted = Extract<Filter, { kind: 'permitted' }>;

/** Returns a filter of every row for callers whose role grants this (`posts.create`), and of none for others. */
export function permitted(permission: string): Permitted {
  return { kind: 'permitted', permission };
}

export function through(column: string, table: string, where: Filter): Filter {
  return { kind: 'through', column, table, where };
}
