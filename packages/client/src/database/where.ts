/** A value of a column; booleans are sent as 1 and 0, as SQLite keeps them. */
export type ColumnValue = string | number | boolean;

/** The operators of the wire contract; several on one column must all hold. */
export interface ColumnFilter<V> {
  eq?: V | null;
  neq?: V | null;
  gt?: V;
  gte?: V;
  lt?: V;
  lte?: V;
  /** `%` or `*` stands for any text. */
  like?: string;
  ilike?: string;
  is?: null | boolean;
  /** Not this value; or the negation of all that is in the object. */
  not?: V | null | ColumnFilter<V>;
  in?: readonly V[];
  not_in?: readonly V[];
}

type Comparable<V> = Extract<V, ColumnValue> | boolean;

/** Conditions by column, all of which must hold. `null` means: has no value. */
export type Where<Row> = {
  [Column in keyof Row]?: Comparable<Row[Column]> | null | ColumnFilter<Comparable<Row[Column]>>;
} & {
  AND?: readonly Where<Row>[];
  OR?: readonly Where<Row>[];
};
