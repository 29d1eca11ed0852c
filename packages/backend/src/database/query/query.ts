import type { Filter, Scalar } from '../../core/filter.ts';

/** One term of an order; nulls stand where PostgreSQL puts them unless the request says otherwise. */
export interface OrderTerm {
  column: string;
  descending: boolean;
  nullsFirst: boolean;
}

/** What a request asks of a table, before and after policies were added to its filter. */
export interface Query {
  columns: readonly string[];
  filter: Filter;
  /** Ends with the id, so that no two rows stand at the same place. */
  order: readonly OrderTerm[];
  limit: number;
  offset: number;
  /** Rows after the one with these values, a value for each term of the order. */
  after: readonly Scalar[] | undefined;
}
