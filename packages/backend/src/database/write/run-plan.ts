import type { Row } from '../../core/bus.ts';
import type { Syntax, WriteOutcome, WritePlan } from '../port.ts';
import { requireSingle } from '../query/single-row.ts';
import type { Schema } from '../schema.ts';
import { upsertRows } from './upsert-rows.ts';
import { limitCharacters, type RunStatement, WriteTransaction } from './write-transaction.ts';
import { countBytes } from './written-bytes.ts';

/** A write holds its rows as they were and as they are, and publishes both. */
const MAX_CHARACTERS = 16_000_000;
const TOO_LONG = 'These rows are too long to be changed by one request: narrow the filter, or set a limit.';

interface RunPlanOptions {
  schema: Schema;
  syntax: Syntax;
  /** Runs a statement of the transaction that the whole plan runs in. */
  run: RunStatement;
}

/** Runs a plan within a transaction of the engine. Throws FORBIDDEN, NOT_ACCEPTABLE, VALIDATION_FAILED, RATE_LIMITED. */
export async function runPlan(
  plan: WritePlan,
  { schema, syntax, run }: RunPlanOptions,
): Promise<WriteOutcome> {
  const outcome: WriteOutcome = { rows: [], created: 0, changes: [] };
  for (const one of plan.kind === 'all' ? plan.plans : [plan]) {
    const table = schema.get(one.table);
    if (!table) throw new Error(`A write is planned on table "${one.table}", which is not defined.`);
    const transaction = new WriteTransaction({ schema, table, syntax }, run, outcome.changes);
    const limit = limitCharacters(MAX_CHARACTERS, TOO_LONG);
    let rows: Row[];
    if (one.kind === 'create') {
      const { returned, inserted } = await upsertRows(transaction, one);
      rows = returned;
      outcome.created += inserted.length;
    } else {
      rows =
        one.kind === 'update' ? await transaction.update(one, limit) : await transaction.delete(one, limit);
    }
    if (one.single) requireSingle(rows);
    for (const row of rows) outcome.rows.push(row);
  }
  if (plan.quota) await countBytes({ schema, syntax, run }, outcome.changes, plan);
  for (const statement of plan.kind === 'all' ? (plan.statements ?? []) : []) await run(statement);
  return outcome;
}
