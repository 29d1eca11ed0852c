import type { Row } from '../../core/bus.ts';
import type { Syntax, WriteOutcome, WritePlan } from '../port.ts';
import { boundCharacters, type CountCharacters } from '../query/read-rows.ts';
import { requireSingle } from '../query/single-row.ts';
import type { Schema } from '../schema.ts';
import { createRows } from './create-rows.ts';
import { deleteRows } from './delete-rows.ts';
import { updateRows } from './update-rows.ts';
import type { Write } from './write.ts';

/** Of the rows that one request changes or deletes: both what they were and what they are is held, and told. */
const MAX_CHARACTERS = 16_000_000;
/** Of those that go with them: there is no other way to be rid of a row that much hangs on. */
const MAX_DEPENDANT_CHARACTERS = 64_000_000;

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
  const changes: WriteOutcome['changes'] = [];
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
