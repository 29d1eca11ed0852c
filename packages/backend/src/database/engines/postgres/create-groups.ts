import { AppError } from '../../../core/errors.ts';
import type { WriteOutcome, WritePlan } from '../../port.ts';
import { charactersIn } from '../../write/write-transaction.ts';
import { ConnectionLost, refusesCommit, sqlState, unavailable } from './postgres-error.ts';
import { presentWriteError, type RunWriteOptions, runWithin, runWrite } from './run-write.ts';
import { CONNECT_MS } from './sessions/login.ts';
import { MAX_WAITING } from './sessions/session-pool.ts';
import type { OpenTransaction } from './transactions.ts';

/** Groups that run beside one another. */
const MAX_GROUPS = 2;
/** Plans of a group. */
const MAX_PLANS = 32;
/** Rows of a plan in a group: no plan has a result before the last one of its group has been run. */
const MAX_ROWS = 20;
/** Characters of all texts of a plan in a group: the statements of all its plans are in memory until they are sent. */
const MAX_CHARACTERS = 64_000;

/**
 * The errors of statements after one that has ended the transaction: 25P02 for most, and 26000 for one that counts on a statement
 * before it to be prepared, which was refused with 25P02 as well.
 */
const AFTER_A_FAILURE: readonly (string | undefined)[] = ['25P02', '26000'];

interface WaitingPlan {
  plan: WritePlan;
  /** Fails the plan when it has waited too long for a group. */
  timer: NodeJS.Timeout;
  resolve(outcome: WriteOutcome | Promise<WriteOutcome>): void;
  reject(error: unknown): void;
}

/** Is thrown to roll a group back. `failed` are the plans that may be at fault. */
class GroupFailed extends Error {
  readonly failed: ReadonlySet<WaitingPlan>;

  constructor(failed: ReadonlySet<WaitingPlan>) {
    super('A plan of the group has failed.');
    this.failed = failed;
  }
}

/**
 * Runs the creates that arrive while others are running in one transaction, so that they share its messages and its commit. Their
 * statements are sent without waiting for the results of other plans, and run one after the other on one connection.
 *
 * A plan may read what another one of its group has written: an existing row (`onePer`, `conflictTarget`), rows that a policy looks
 * at, and the bytes of its account, which each adds to in a single statement. That is right since all of a group is committed, or
 * nothing is: no result rests on a row that is rolled back. Two plans that insert the same row break its unique constraint, as in
 * two transactions.
 *
 * When a plan fails, its group is rolled back, and the plan is run alone, as any other write is. The others of its group are run
 * in a second group, and alone if that fails as well.
 */
export class CreateGroups {
  readonly #options: RunWriteOptions;
  readonly #waiting: WaitingPlan[] = [];
  /** Plans whose first group failed by the fault of others. They wait for a second one, of none but such plans. */
  readonly #regrouped: WaitingPlan[] = [];
  /** The writes that have no result yet, those that run alone included. */
  readonly #unsettled = new Set<Promise<WriteOutcome>>();
  #running = 0;

  constructor(options: RunWriteOptions) {
    this.#options = options;
  }

  /** Runs a plan, in a group if it may be in one. Throws the errors of `Database.write`. */
  write(plan: WritePlan): Promise<WriteOutcome> {
    const outcome = mayShare(plan) ? this.#enqueue(plan) : this.#alone(plan);
    const settle = () => this.#unsettled.delete(outcome);
    this.#unsettled.add(outcome);
    outcome.then(settle, settle);
    return outcome;
  }

  /** Resolves when all writes that have begun have a result. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#unsettled);
  }

  /** Plans wait here as long, and as many, as callers of a pool do. Throws DATABASE_UNAVAILABLE. */
  async #enqueue(plan: WritePlan): Promise<WriteOutcome> {
    if (this.#waiting.length >= MAX_WAITING) throw unavailable();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(unavailable());
      }, CONNECT_MS);
      const waiting: WaitingPlan = { plan, timer, resolve, reject };
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  #alone(plan: WritePlan): Promise<WriteOutcome> {
    return runWrite(plan, this.#options);
  }

  #next(): void {
    if (this.#running >= MAX_GROUPS) return;
    const isRegrouped = this.#regrouped.length > 0;
    const group = (isRegrouped ? this.#regrouped : this.#waiting).splice(0, MAX_PLANS);
    if (group.length === 0) return;
    for (const { timer } of group) clearTimeout(timer);
    this.#running += 1;
    void this.#run(group, isRegrouped).finally(() => {
      this.#running -= 1;
      this.#next();
    });
  }

  /** Runs a group, and settles or enqueues each plan of it. Never throws. */
  async #run(group: readonly WaitingPlan[], isRegrouped: boolean): Promise<void> {
    let hasBegun = false;
    try {
      const outcomes = await this.#options.transactions.run('group', (transaction) => {
        hasBegun = true;
        return this.#runTogether(group, transaction);
      });
      for (const [index, outcome] of outcomes.entries()) group[index]?.resolve(outcome);
    } catch (error) {
      this.#afterFailure(group, isRegrouped, error);
      if (!hasBegun && error instanceof AppError) this.#rejectWaiting(error);
    }
  }

  /** Rejects all that wait: there is no connection for the next group either. */
  #rejectWaiting(error: AppError): void {
    for (const waiting of [...this.#regrouped.splice(0), ...this.#waiting.splice(0)]) {
      clearTimeout(waiting.timer);
      waiting.reject(error);
    }
  }

  async #runTogether(group: readonly WaitingPlan[], transaction: OpenTransaction): Promise<WriteOutcome[]> {
    const results = await Promise.allSettled(
      group.map(({ plan }) => runWithin(transaction, plan, this.#options)),
    );
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const timeout = errors.find((error) => error instanceof ConnectionLost && error.timedOut);
    if (timeout) throw timeout;
    if (errors.length > 0) {
      throw new GroupFailed(new Set(group.filter((_, index) => isAtFault(results[index]))));
    }
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** Rejects all plans of the group, or has each run again: the innocent ones in a second group, if this is their first. */
  #afterFailure(group: readonly WaitingPlan[], isRegrouped: boolean, error: unknown): void {
    for (const waiting of group) {
      const isInnocent = error instanceof GroupFailed && !error.failed.has(waiting);
      if (!mayRunAgain(error)) waiting.reject(presentWriteError(error));
      else if (isInnocent && !isRegrouped) this.#regrouped.push(waiting);
      else waiting.resolve(this.#alone(waiting.plan));
    }
  }
}

/** Tells whether nothing of a group was committed, and its plans may succeed by themselves. */
function mayRunAgain(error: unknown): boolean {
  if (error instanceof ConnectionLost) return !error.timedOut;
  return error instanceof GroupFailed || refusesCommit(error);
}

/** Tells whether a plan does nothing but insert a few rows with little text, or find that they exist. */
function mayShare(plan: WritePlan): boolean {
  if (plan.kind !== 'create' || plan.rows.length > MAX_ROWS) return false;
  if (charactersIn(plan.rows) > MAX_CHARACTERS) return false;
  return plan.conflictTarget === undefined || plan.onConflict === 'ignore';
}

function isAtFault(result: PromiseSettledResult<WriteOutcome> | undefined): boolean {
  return result?.status === 'rejected' && !AFTER_A_FAILURE.includes(sqlState(result.reason));
}
