import type { Filter, Scalar } from '../../core/filter.ts';

/** One term of an order. Nulls come where PostgreSQL puts them unless the request says otherwise. */
export interface OrderTerm {
  column: string;
  descending: boolean;
  nullsFirst: boolean;
}

/** A query on a table, before or after policies are added to its filter. */
export interface Query {
  columns: readonly string[];
  filter: Filter;
  /** Ends with the id, so that the order is total. */
  order: readonly OrderTerm[];
  limit: number;
  offset: number;
  /** Selects the rows after the one with these values, which has a value for each term of the order. */
  after: readonly Scalar[] | undefined;
}

/** SQL with names of the program and placeholders alone, and the parameters of the placeholders. */
export interface Statement {
  sql: string;
  parameters: readonly Scalar[];
}
