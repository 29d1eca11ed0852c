import type { Change, Row } from '../../core/bus.ts';
import type { Scalar } from '../../core/filter.ts';
import type { TablePlan } from '../port.ts';
import type { CompileContext } from '../query/compile.ts';
import type { Statement } from '../query/query.ts';

/** The database transaction that a write runs in: all of the write is committed, or nothing. */
export interface WriteTransaction {
  context: CompileContext;
  run(statement: Statement): Row[] | Promise<Row[]>;
  /** Every row that was written, in order. */
  changes: Change[];
}

/** The part of a plan that remains once its table is known. */
export type PlanFor<Plan extends TablePlan> = Omit<Plan, 'kind' | 'table' | 'single'>;

/** Engines bound the parameters of a statement. */
const IDS_PER_STATEMENT = 500;

/** Splits values into arrays of `size` at most. */
export function chunks<T>(values: readonly T[], size = IDS_PER_STATEMENT): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < values.length; start += size) parts.push(values.slice(start, start + size));
  return parts;
}

export function idOf({ id }: Row): Scalar {
  return id ?? null;
}
