import type { Row } from '../../core/bus.ts';
import type { Syntax, TablePlan, WriteOutcome, WritePlan } from '../port.ts';
import { requireSingle } from '../query/single-row.ts';
import type { Schema } from '../schema.ts';
import { deleteRows } from './delete-rows.ts';
import { limitCharacters } from './read-rows.ts';
import { updateRows } from './update-rows.ts';
import { upsertRows } from './upsert-rows.ts';
import type { WriteTransaction } from './write-transaction.ts';
import { countGrownBytes, countWrittenBytes } from './written-bytes.ts';

/** A write holds its rows as they were and as they are, and publishes both. */
const MAX_CHARACTERS = 16_000_000;

export interface RunPlanOptions {
  schema: Schema;
  syntax: Syntax;
  /** Runs a statement of the transaction that the whole plan runs in. */
  run: WriteTransaction['run'];
}

/** Runs a plan within a transaction of the engine. Throws FORBIDDEN, NOT_ACCEPTABLE, VALIDATION_FAILED. */
export async function runPlan(plan: WritePlan, options: RunPlanOptions): Promise<WriteOutcome> {
  if (plan.kind !== 'all') return runTablePlan(plan, options);
  const whole: WriteOutcome = { rows: [], created: 0, changes: [] };
  for (const one of plan.plans) {
    const { rows, created, changes } = await runTablePlan(one, options);
    whole.rows.push(...rows);
    whole.created += created;
    for (const change of changes) whole.changes.push(change);
  }
  if (plan.quota) await countGrownBytes(options, whole.changes, plan.quota);
  for (const statement of plan.statements ?? []) await options.run(statement);
  return whole;
}

async function runTablePlan(plan: TablePlan, { schema, syntax, run }: RunPlanOptions): Promise<WriteOutcome> {
  const table = schema.get(plan.table);
  if (!table) throw new Error(`A write is planned on table "${plan.table}", which is not defined.`);
  const transaction: WriteTransaction = { context: { schema, table, syntax }, run, changes: [] };
  const { rows, created } = await writeRows(transaction, plan);
  if (plan.single) requireSingle(rows);
  if (plan.quota) await countWrittenBytes(transaction, plan.quota);
  return { rows, created, changes: transaction.changes };
}

async function writeRows(
  transaction: WriteTransaction,
  plan: TablePlan,
): Promise<{ rows: Row[]; created: number }> {
  const limit = limitCharacters(
    MAX_CHARACTERS,
    'These rows are too long to be changed by one request: narrow the filter, or set a limit.',
  );
  switch (plan.kind) {
    case 'create':
      return upsertRows(transaction, plan);
    case 'update':
      return { rows: await updateRows(transaction, plan, limit), created: 0 };
    case 'delete':
      return { rows: await deleteRows(transaction, plan, limit), created: 0 };
  }
}
