import type { Row } from '../../core/bus.ts';
import type { Filter } from '../../core/filter.ts';
import type { Permission } from '../../services/rest/policy/authorize.ts';
import { requireSingle } from '../../services/rest/read/present.ts';
import type { Change } from '../change.ts';
import type { Cascade, Syntax } from '../port.ts';
import type { CompileContext, Statement } from '../query/compile.ts';
import type { Query } from '../query/query.ts';
import { boundCharacters, type CountCharacters } from '../query/read-rows.ts';
import type { Schema } from '../schema.ts';
import { createRows } from './create-rows.ts';
import { deleteRows } from './delete-rows.ts';
import { updateRows } from './update-rows.ts';
import type { Clock } from './validate-row.ts';

/** Of the rows that one request changes or deletes: both what they were and what they are is held, and told. */
const MAX_CHARACTERS = 16_000_000;
/** Of those that go with them: there is no other way to be rid of a row that much hangs on. */
const MAX_DEPENDANT_CHARACTERS = 64_000_000;

interface PlanOf<Kind> {
  kind: Kind;
  table: string;
  /** The caller's, its own values filled in. */
  permission: Permission;
  /** Nothing is written unless it is one row. */
  single: boolean;
}

/** New rows, validated and with what the server can fill in still missing. */
export interface CreatePlan extends PlanOf<'create'> {
  rows: readonly Row[];
  clock: Clock;
  /** Columns by which a row is there already. */
  conflict: readonly string[] | undefined;
  /** What becomes of such a row. */
  resolution: 'merge' | 'ignore';
}

interface TouchingPlan<Kind> extends PlanOf<Kind> {
  query: Query;
  /** Nothing is written if it were more rows than this. */
  mostRows: number | undefined;
}

export interface UpdatePlan extends TouchingPlan<'update'> {
  changes: Row;
  where: Filter;
  clock: Clock;
}

export interface DeletePlan extends TouchingPlan<'delete'> {
  where: Filter;
  cascades: readonly Cascade[];
}

/** A write as plain data: it can be sent to the thread that carries it out. */
export type WritePlan = CreatePlan | UpdatePlan | DeletePlan;

export interface WriteOutcome {
  /** The rows that were made, changed, deleted, or found to be there already. */
  rows: Row[];
  /** How many of them are new. */
  created: number;
  /** Every row that was written, in order. */
  changes: Change[];
}

/** A write under way: all of it is committed, or nothing. */
export interface Write {
  context: CompileContext;
  permission: Permission;
  run(statement: Statement): Row[] | Promise<Row[]>;
  /** Every row that was written, in order. */
  changes: Change[];
}

export interface PlanSurroundings {
  schema: Schema;
  syntax: Syntax;
  /** A statement of the transaction that the whole plan runs in. */
  run: Write['run'];
}

/** Carries out a plan within a transaction of the engine. Throws FORBIDDEN, NOT_ACCEPTABLE, VALIDATION_FAILED. */
export async function runPlan(
  plan: WritePlan,
  { schema, syntax, run }: PlanSurroundings,
): Promise<WriteOutcome> {
  const table = schema.get(plan.table);
  if (!table) throw new Error(`A write is planned on table "${plan.table}", which is not defined.`);
  const changes: Change[] = [];
  const write: Write = { context: { schema, table, syntax }, permission: plan.permission, run, changes };
  const { rows, created } = await carryOut(write, plan);
  if (plan.single) requireSingle(rows);
  return { rows, created, changes };
}

async function carryOut(write: Write, plan: WritePlan): Promise<{ rows: Row[]; created: number }> {
  switch (plan.kind) {
    case 'create':
      return createRows(write, plan.rows, plan);
    case 'update':
      return { rows: await updateRows(write, plan.query, { ...plan, count: countTouched() }), created: 0 };
    case 'delete': {
      const countDependants = boundCharacters(
        MAX_DEPENDANT_CHARACTERS,
        'Too much would be deleted along with this: delete what hangs on it first.',
      );
      const deletion = { ...plan, count: countTouched(), countDependants };
      return { rows: await deleteRows(write, plan.query, deletion), created: 0 };
    }
  }
}

function countTouched(): CountCharacters {
  return boundCharacters(
    MAX_CHARACTERS,
    'These rows are too long to be changed by one request: narrow the filter, or set a limit.',
  );
}
