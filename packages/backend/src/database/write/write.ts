import type { Change, Row } from '../../core/bus.ts';
import type { Permission } from '../permission.ts';
import type { CompileContext, Statement } from '../query/compile.ts';

/** A write under way: all of it is committed, or nothing. */
export interface Write {
  context: CompileContext;
  permission: Permission;
  run(statement: Statement): Row[] | Promise<Row[]>;
  /** Every row that was written, in order. */
  changes: Change[];
}
