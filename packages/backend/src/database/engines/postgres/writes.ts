import { retry } from '../../../runtime/retry.ts';
import type { Syntax, WriteOutcome, WritePlan } from '../../port.ts';
import type { Schema } from '../../schema.ts';
import { refusal } from '../../write/check-rows.ts';
import { runPlan } from '../../write/run-plan.ts';
import { ConnectionLost, isCollision, toServiceError, violationOf } from './postgres-error.ts';
import type { Transactions } from './transactions.ts';

const TRIES = 5;
/** Of a row that is said to be there and is not found. */
const SEARCHES = 3;

/** Milliseconds between two tries: about so many for the first of them, more for the next. */
const PAUSE_MS = 10;

export interface WriteOptions {
  transactions: Transactions;
  schema: Schema;
  syntax: Syntax;
}

/** Carries out a plan, from its beginning once more where another transaction came in its way. */
export async function write(plan: WritePlan, options: WriteOptions): Promise<WriteOutcome> {
  const { transactions, schema, syntax } = options;
  const attempt = () =>
    transactions.run('write', (transaction) =>
      runPlan(plan, {
        schema,
        syntax,
        run: async ({ sql, parameters }) => {
          const statement = { text: sql, values: parameters };
          const { rows } = await transaction.query(statement, { writes: !sql.startsWith('SELECT') });
          return rows;
        },
      }),
    );
  const pauseAfter = (error: unknown, attempts: number) => {
    const again = mayTryAgain(error, attempts) || (attempts < SEARCHES && mayBeFound(error, plan, schema));
    if (!again) return undefined;
    if (error instanceof ConnectionLost) transactions.renew();
    return PAUSE_MS * attempts * (0.5 + Math.random());
  };
  try {
    return await retry(attempt, { pauseAfter });
  } catch (error) {
    throw presented(error);
  }
}

function mayTryAgain(error: unknown, attempt: number): boolean {
  if (error instanceof ConnectionLost) return attempt === 1 && !error.gaveUp;
  return attempt < TRIES && isCollision(error);
}

/** Somebody else made the same row meanwhile: the next look finds it there. */
function mayBeFound(error: unknown, plan: WritePlan, schema: Schema): boolean {
  if (plan.kind !== 'create' || violationOf(error) !== 'unique') return false;
  return plan.conflict !== undefined || schema.get(plan.table)?.onePer !== undefined;
}

function presented(error: unknown): unknown {
  const violation = violationOf(error);
  return violation ? refusal(violation, error) : toServiceError(error);
}
