/** A value of a column. Booleans are sent as 1 and 0, as SQLite stores them. */
export type ColumnValue = string | number | boolean;

/** The operators of the wire contract. All operators on a column must match. */
export interface ColumnFilter<V> {
  eq?: V | null;
  neq?: V | null;
  gt?: V;
  gte?: V;
  lt?: V;
  lte?: V;
  /** `%` and `*` match any text. */
  like?: string;
  ilike?: string;
  is?: null | boolean;
  /** Excludes a value, or negates each operator in the object. */
  not?: V | null | ColumnFilter<V>;
  in?: readonly V[];
  not_in?: readonly V[];
}

type Comparable<V> = Extract<V, ColumnValue> | boolean;

/** Conditions by column. All of them must match; `null` matches rows without a value. */
export type Where<Row> = {
  [Column in keyof Row]?: Comparable<Row[Column]> | null | ColumnFilter<Comparable<Row[Column]>>;
} & {
  AND?: readonly Where<Row>[];
  OR?: readonly Where<Row>[];
};
