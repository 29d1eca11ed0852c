import type { Scalar } from '../../core/filter.ts';

/** SQL with names of the program and placeholders alone, and the parameters of the placeholders. */
export interface Statement {
  sql: string;
  parameters: readonly Scalar[];
}
