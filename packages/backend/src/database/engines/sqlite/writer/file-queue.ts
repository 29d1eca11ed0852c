import { AppError } from '../../../../core/errors.ts';
import type { TaskServer } from '../../../../runtime/workers/serve-tasks.ts';
import type { WriteOutcome } from '../../../port.ts';
import { othersWrite } from '../../../sql/statement-error.ts';
import { isBusy } from '../sqlite-error.ts';
import type { OpenFile } from './open-file.ts';
import type { OpenTask, ServiceStatement, WriterTask } from './writer-tasks.ts';

/** Milliseconds that an exclusive transaction waits for another process, which may be changing the tables too. */
const EXCLUSIVE_LOCK_TIMEOUT_MS = 60 * 60 * 1000;

/** Milliseconds until the lock is tried again; the last one repeats. */
const LOCK_RETRIES_MS = [1, 2, 5, 10, 15, 20, 25];

/** Milliseconds after which no further task joins a group: the tasks of the group wait for their results. */
const MAX_GROUP_MS = 5;

/** Statements that SQLite runs outside of transactions only. */
const OUTSIDE_TRANSACTION = /^\s*(?:pragma|vacuum|attach|detach)\b/i;

interface FileQueueOptions {
  file: OpenFile;
  server: TaskServer;
  /** Has `step` called again. */
  wake(): void;
  /** Called once the file is closed. */
  done(): void;
  timeouts: Pick<OpenTask, 'idleTransactionTimeout' | 'lockTimeout'>;
}

interface Job {
  id: number;
  task: WriterTask;
  queuedAt: number;
  /** Whether the task gets a transaction of its own. */
  alone: boolean;
}

interface JobResult {
  job: Job;
  value?: unknown;
  error?: unknown;
}

/** A transaction whose statements come one by one. */
interface OpenTransaction {
  id: number;
  exclusive: boolean;
  quiet: boolean;
  wrote: boolean;
  idleTimer: NodeJS.Timeout | undefined;
  /** The error with which SQLite ended the transaction. */
  failure?: unknown;
}

/** Holds the writer's tasks on one file, in the order in which they came. */
export class FileQueue {
  readonly #options: FileQueueOptions;
  #jobs: Job[] = [];
  #transaction: OpenTransaction | undefined;
  #lockedSince: number | undefined;
  #lockRetries = 0;
  #waitsForLock = false;

  constructor(options: FileQueueOptions) {
    this.#options = options;
  }

  /** Whether there is a task that `step` would run. */
  get ready(): boolean {
    return this.#jobs.length > 0 && !this.#transaction && !this.#waitsForLock;
  }

  /** Whether no task is running or waiting. */
  get idle(): boolean {
    return this.#jobs.length === 0 && !this.#transaction;
  }

  take(id: number, task: WriterTask): void {
    const { file, server, wake } = this.#options;
    switch (task.kind) {
      case 'within':
        if (this.#transaction?.id === task.transaction)
          this.#runWithin(id, this.#transaction, task.statement);
        else server.fail(id, transactionTimedOut());
        break;
      case 'end':
        if (this.#transaction?.id === task.transaction) this.#end(id, task.how, this.#transaction);
        else if (task.how === 'rollback') server.reply(id, undefined);
        else server.fail(id, transactionTimedOut());
        break;
      case 'count-commits':
        file.countForeignCommits();
        server.reply(id, undefined);
        break;
      default:
        this.#jobs.push({ id, task, queuedAt: performance.now(), alone: false });
        wake();
    }
  }

  /** Runs a group of tasks with one commit, or one task that cannot share its transaction. */
  async step(): Promise<void> {
    const { file, server, done } = this.#options;
    const [job] = this.#jobs;
    if (!job || !this.ready) return;
    if (isLast(job.task)) {
      this.#jobs.shift();
      if (job.task.kind === 'close') {
        file.close();
        done();
      }
      server.reply(job.id, undefined);
    } else if (job.task.kind === 'begin') this.#begin(job.id, job.task);
    else if (runsOutside(job)) this.#runOutside(job);
    else await this.#runGroup();
  }

  /** Takes the write lock for the first task; returns false when that is not possible now. */
  #lock(): boolean {
    try {
      if (!this.#options.file.begin()) {
        this.#waitForLock();
        return false;
      }
      this.#lockedSince = undefined;
      this.#lockRetries = 0;
      return true;
    } catch (error) {
      const job = this.#jobs.shift();
      if (job) this.#options.server.fail(job.id, error);
      return false;
    }
  }

  #waitForLock(): void {
    const { server, wake, timeouts } = this.#options;
    const now = performance.now();
    const since = this.#lockedSince ?? now;
    this.#lockedSince = since;
    this.#jobs = this.#jobs.filter(({ id, task, queuedAt }) => {
      const exclusive = task.kind === 'begin' && task.exclusive;
      const timeout = exclusive ? EXCLUSIVE_LOCK_TIMEOUT_MS : timeouts.lockTimeout;
      if (isLast(task) || now - Math.max(since, queuedAt) < timeout) return true;
      server.fail(id, othersWrite());
      return false;
    });
    this.#waitsForLock = true;
    setTimeout(
      () => {
        this.#waitsForLock = false;
        wake();
      },
      LOCK_RETRIES_MS[Math.min(this.#lockRetries, LOCK_RETRIES_MS.length - 1)],
    );
    this.#lockRetries += 1;
  }

  /** Runs all waiting tasks up to one that cannot join; a task that fails is rolled back by itself. */
  async #runGroup(): Promise<void> {
    const { file } = this.#options;
    if (!this.#lock()) return;
    const deadline = performance.now() + MAX_GROUP_MS;
    const group: JobResult[] = [];
    for (let job = this.#jobs.shift(); job; job = this.#nextMayJoin(group) ? this.#jobs.shift() : undefined) {
      group.push(await this.#attempt(job));
      if (!file.inTransaction() || performance.now() > deadline) break;
    }
    try {
      file.commit(group.some(hasWritten));
    } catch (error) {
      return this.#retryAlone(group, error);
    }
    for (const result of group) this.#respond(result);
  }

  #nextMayJoin(group: readonly JobResult[]): boolean {
    const [next] = this.#jobs;
    if (!next || next.alone || group[0]?.job.alone) return false;
    return next.task.kind === 'plan' || (next.task.kind === 'statement' && !runsOutside(next));
  }

  async #attempt(job: Job): Promise<JobResult> {
    try {
      return { job, value: await this.#options.file.inSavepoint(() => this.#run(job.task)) };
    } catch (error) {
      return { job, error };
    }
  }

  #run(task: WriterTask): unknown {
    switch (task.kind) {
      case 'plan':
        return this.#options.file.plan(task.plan);
      case 'statement':
        return this.#options.file.statement(task.statement);
      default:
        throw new Error(`A task "${task.kind}" is no part of a group.`);
    }
  }

  /** Nothing of the group was committed, and no result was sent: run alone, the task at fault is the one that fails. */
  #retryAlone(group: readonly JobResult[], error: unknown): void {
    const { file, server } = this.#options;
    file.rollback();
    const [first] = group;
    if (group.length === 1 && first) server.fail(first.job.id, first.error ?? error);
    else this.#jobs.unshift(...group.map(({ job }) => ({ ...job, alone: true })));
  }

  #respond({ job, value, error }: JobResult): void {
    if (error === undefined) this.#options.server.reply(job.id, value);
    else this.#options.server.fail(job.id, error);
  }

  #runOutside({ id, task }: Job): void {
    if (task.kind !== 'statement') return;
    const { file, server } = this.#options;
    try {
      server.reply(id, file.outsideTransaction(task.statement));
      this.#jobs.shift();
    } catch (error) {
      if (isBusy(error)) this.#waitForLock();
      else {
        this.#jobs.shift();
        server.fail(id, error);
      }
    }
  }

  #begin(id: number, task: Extract<WriterTask, { kind: 'begin' }>): void {
    if (!this.#lock()) return;
    this.#jobs.shift();
    const { transaction, exclusive, quiet, statement } = task;
    this.#transaction = { id: transaction, exclusive, quiet, wrote: false, idleTimer: undefined };
    this.#runWithin(id, this.#transaction, statement);
  }

  #runWithin(id: number, transaction: OpenTransaction, statement: ServiceStatement): void {
    const { file, server, timeouts } = this.#options;
    clearTimeout(transaction.idleTimer);
    try {
      if (transaction.failure !== undefined) throw transaction.failure;
      transaction.wrote ||= statement.writes;
      server.reply(id, file.statement(statement));
    } catch (error) {
      if (!file.inTransaction()) transaction.failure ??= error;
      server.fail(id, error);
    }
    // A change of the tables has no timeout.
    if (transaction.exclusive) return;
    transaction.idleTimer = setTimeout(() => this.#abandon(transaction), timeouts.idleTransactionTimeout);
  }

  #abandon(transaction: OpenTransaction): void {
    if (this.#transaction === transaction) this.#release();
  }

  #release(): void {
    clearTimeout(this.#transaction?.idleTimer);
    this.#transaction = undefined;
    this.#options.file.rollback();
    this.#options.wake();
  }

  #end(id: number, how: 'commit' | 'rollback', transaction: OpenTransaction): void {
    const { file, server } = this.#options;
    try {
      if (how === 'commit') {
        if (transaction.failure !== undefined) throw transaction.failure;
        file.commit(transaction.wrote && !transaction.quiet);
      }
      server.reply(id, undefined);
    } catch (error) {
      server.fail(id, error);
    }
    this.#release();
  }
}

/** Returns whether the task comes last on its file. */
function isLast({ kind }: WriterTask): boolean {
  return kind === 'wait' || kind === 'close';
}

function runsOutside({ task }: Job): boolean {
  return task.kind === 'statement' && OUTSIDE_TRANSACTION.test(task.statement.sql);
}

function hasWritten({ job: { task }, value, error }: JobResult): boolean {
  if (error !== undefined) return false;
  switch (task.kind) {
    case 'plan':
      return (value as WriteOutcome).changes.length > 0;
    case 'statement':
      return task.statement.writes;
    default:
      return true;
  }
}

function transactionTimedOut(): AppError {
  return new AppError('STATEMENT_TIMEOUT', 'This took too long, and nothing of it was written.');
}
