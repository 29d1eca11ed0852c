import { retry } from '../../../runtime/retry.ts';
import type { Syntax, TablePlan, WriteOutcome, WritePlan } from '../../port.ts';
import type { Schema } from '../../schema.ts';
import { constraintError } from '../../write/constraint-error.ts';
import { runPlan } from '../../write/run-plan.ts';
import { ConnectionLost, isCollision, postgresViolation, presentPostgresError } from './postgres-error.ts';
import type { StatementNames } from './sessions/statement-names.ts';
import type { OpenTransaction, Transactions } from './transactions.ts';

const MAX_ATTEMPTS = 5;
/** Attempts at an upsert whose row was inserted by another transaction in between. */
const MAX_UPSERT_ATTEMPTS = 3;

/** Average milliseconds before the second attempt; later ones wait longer. */
const BACKOFF_MS = 10;

export interface RunWriteOptions {
  transactions: Transactions;
  schema: Schema;
  syntax: Syntax;
  names: StatementNames;
}

/** Runs a plan in a transaction of its own, and runs it again when it collided with another transaction. */
export async function runWrite(plan: WritePlan, options: RunWriteOptions): Promise<WriteOutcome> {
  const { transactions, schema, names } = options;
  const attempt = () => transactions.run('write', (transaction) => runWithin(transaction, plan, options));
  const pauseAfter = (error: unknown, attempts: number) => {
    const mayExist = attempts < MAX_UPSERT_ATTEMPTS && mayExistByNow(error, plan, schema);
    const isStale = attempts < MAX_ATTEMPTS && names.renewAfter(error);
    if (!mayExist && !isStale && !mayRetry(error, attempts)) return undefined;
    if (error instanceof ConnectionLost) transactions.renewConnections();
    return BACKOFF_MS * attempts * (0.5 + Math.random());
  };
  try {
    return await retry(attempt, { pauseAfter });
  } catch (error) {
    throw presentWriteError(error);
  }
}

/** Runs a plan within a transaction. */
export function runWithin(
  transaction: OpenTransaction,
  plan: WritePlan,
  { schema, syntax, names }: RunWriteOptions,
): Promise<WriteOutcome> {
  return runPlan(plan, {
    schema,
    syntax,
    run: async ({ sql, parameters }) => {
      const statement = names.named({ text: sql, values: parameters });
      const { rows } = await transaction.query(statement, { writes: !sql.startsWith('SELECT') });
      return rows;
    },
  });
}

function mayRetry(error: unknown, attempt: number): boolean {
  if (error instanceof ConnectionLost) return attempt === 1 && !error.timedOut;
  return attempt < MAX_ATTEMPTS && isCollision(error);
}

/** Tells whether another transaction may have inserted the row of an upsert, which the next attempt finds. */
function mayExistByNow(error: unknown, plan: WritePlan, schema: Schema): boolean {
  if (postgresViolation(error) !== 'unique') return false;
  const isUpsert = (one: TablePlan) =>
    one.kind === 'create' &&
    (one.conflictTarget !== undefined || schema.get(one.table)?.onePer !== undefined);
  return plan.kind === 'all' ? plan.plans.some(isUpsert) : isUpsert(plan);
}

/** Returns the AppError for a constraint that is broken, or what `presentPostgresError` returns. */
export function presentWriteError(error: unknown): unknown {
  const violation = postgresViolation(error);
  return violation ? constraintError(violation, error) : presentPostgresError(error);
}
