import { AppError } from '../../../../core/errors.ts';
import type { WriteOutcome } from '../../../port.ts';
import { othersWrite } from '../../../sql/statement-error.ts';
import { isBusy } from '../sqlite-error.ts';
import type { TaskServer } from '../thread/serve-tasks.ts';
import type { OpenFile } from './open-file.ts';
import type { OpenTask, ServiceStatement, WriterTask } from './writer-tasks.ts';

/** Milliseconds that what changes the tables themselves waits while another process writes: that may do the same. */
const PATIENT_WAIT_MS = 60 * 60 * 1000;

/** Milliseconds until the lock is asked for again: soon at first. */
const PAUSES_MS = [1, 2, 5, 10, 15, 20, 25];

/** After so long no further task joins a group: those that are in it wait for their answers. */
const LONGEST_GROUP_MS = 5;

/** What SQLite carries out outside of transactions only. */
const STANDS_ALONE = /^\s*(?:pragma|vacuum|attach|detach)\b/i;

/** The writer's tasks on one file, in the order in which they came. */
export interface FileQueue {
  take(id: number, task: WriterTask): void;
  /** There is something that `step` would do. */
  ready(): boolean;
  /** A group of tasks with one commit, or one task that stands alone. */
  step(): Promise<void>;
}

export interface FileQueueOptions {
  file: OpenFile;
  server: TaskServer;
  /** Has `step` called again. */
  wake(): void;
  /** The file is closed: there is nothing more to do. */
  done(): void;
  /** Milliseconds that a transaction may stay without a statement, and that a task may wait for another process. */
  limits: Pick<OpenTask, 'longestPause' | 'longestWait'>;
}

interface Job {
  id: number;
  task: WriterTask;
  queuedAt: number;
  /** Shares its transaction with no other one. */
  alone: boolean;
}

interface Done {
  job: Job;
  value?: unknown;
  error?: unknown;
}

/** A transaction whose statements come one by one. */
interface Held {
  transaction: number;
  patient: boolean;
  quiet: boolean;
  wrote: boolean;
  pause: NodeJS.Timeout | undefined;
  /** Why SQLite has ended it. */
  lost?: unknown;
}

export function createFileQueue({ file, server, wake, done, limits }: FileQueueOptions): FileQueue {
  let queue: Job[] = [];
  let held: Held | undefined;
  let refusedSince: number | undefined;
  let refusals = 0;
  let waiting = false;

  const ready = () => queue.length > 0 && !held && !waiting;

  /** Has the first task begin its transaction; false when it cannot do so now. */
  function begin(): boolean {
    try {
      if (!file.begin()) {
        waitForLock();
        return false;
      }
      refusedSince = undefined;
      refusals = 0;
      return true;
    } catch (error) {
      const job = queue.shift();
      if (job) server.fail(job.id, error);
      return false;
    }
  }

  function waitForLock(): void {
    const now = performance.now();
    const since = refusedSince ?? now;
    refusedSince = since;
    queue = queue.filter(({ id, task, queuedAt }) => {
      const longest = task.kind === 'begin' && task.patient ? PATIENT_WAIT_MS : limits.longestWait;
      if (isEnd(task) || now - Math.max(since, queuedAt) < longest) return true;
      server.fail(id, othersWrite());
      return false;
    });
    waiting = true;
    setTimeout(
      () => {
        waiting = false;
        wake();
      },
      PAUSES_MS[Math.min(refusals, PAUSES_MS.length - 1)],
    );
    refusals += 1;
  }

  /** Every task that waits, up to one that stands alone; each is undone by itself when it fails. */
  async function runGroup(): Promise<void> {
    if (!begin()) return;
    const until = performance.now() + LONGEST_GROUP_MS;
    const group: Done[] = [];
    for (let job = queue.shift(); job; job = joins(group) ? queue.shift() : undefined) {
      group.push(await attempt(job));
      if (!file.inTransaction() || performance.now() > until) break;
    }
    try {
      file.commit(group.some(wrote));
    } catch (error) {
      return tryAlone(group, error);
    }
    for (const done of group) answer(done);
  }

  function joins(group: readonly Done[]): boolean {
    const [next] = queue;
    if (!next || next.alone || group[0]?.job.alone) return false;
    return next.task.kind === 'plan' || (next.task.kind === 'statement' && !standsAlone(next));
  }

  async function attempt(job: Job): Promise<Done> {
    try {
      return { job, value: await file.apart(() => carryOut(job.task)) };
    } catch (error) {
      return { job, error };
    }
  }

  function carryOut(task: WriterTask): unknown {
    switch (task.kind) {
      case 'plan':
        return file.plan(task);
      case 'statement':
        return file.statement(task.statement);
      default:
        throw new Error(`A task "${task.kind}" is no part of a group.`);
    }
  }

  /** Nothing of the group was committed, and nobody has been answered: whose fault it was will show. */
  function tryAlone(group: readonly Done[], error: unknown): void {
    file.rollback();
    const [first] = group;
    if (group.length === 1 && first) server.fail(first.job.id, first.error ?? error);
    else queue.unshift(...group.map(({ job }) => ({ ...job, alone: true })));
  }

  function answer({ job, value, error }: Done): void {
    if (error === undefined) server.answer(job.id, value);
    else server.fail(job.id, error);
  }

  function runAlone({ id, task }: Job): void {
    if (task.kind !== 'statement') return;
    try {
      server.answer(id, file.outside(task.statement));
      queue.shift();
    } catch (error) {
      if (isBusy(error)) waitForLock();
      else {
        queue.shift();
        server.fail(id, error);
      }
    }
  }

  function hold(id: number, task: Extract<WriterTask, { kind: 'begin' }>): void {
    if (!begin()) return;
    queue.shift();
    const { transaction, patient, quiet, statement } = task;
    held = { transaction, patient, quiet, wrote: false, pause: undefined };
    runWithin(id, held, statement);
  }

  function runWithin(id: number, holder: Held, statement: ServiceStatement): void {
    clearTimeout(holder.pause);
    try {
      if (holder.lost !== undefined) throw holder.lost;
      holder.wrote ||= statement.writes;
      server.answer(id, file.statement(statement));
    } catch (error) {
      if (!file.inTransaction()) holder.lost ??= error;
      server.fail(id, error);
    }
    // Nobody knows how long a change of the tables takes.
    if (!holder.patient) holder.pause = setTimeout(giveUp, limits.longestPause, holder);
  }

  /** Whoever holds the file has forgotten it. */
  function giveUp(holder: Held): void {
    if (held === holder) release();
  }

  function release(): void {
    clearTimeout(held?.pause);
    held = undefined;
    file.rollback();
    wake();
  }

  function end(id: number, how: 'commit' | 'rollback', holder: Held): void {
    try {
      if (how === 'commit') {
        if (holder.lost !== undefined) throw holder.lost;
        file.commit(holder.wrote && !holder.quiet);
      }
      server.answer(id, undefined);
    } catch (error) {
      server.fail(id, error);
    }
    release();
  }

  return {
    ready,
    take(id, task) {
      switch (task.kind) {
        case 'within':
          if (held?.transaction === task.transaction) runWithin(id, held, task.statement);
          else server.fail(id, forgotten());
          break;
        case 'end':
          if (held?.transaction === task.transaction) end(id, task.how, held);
          else if (task.how === 'rollback') server.answer(id, undefined);
          else server.fail(id, forgotten());
          break;
        case 'look':
          file.look();
          server.answer(id, undefined);
          break;
        default:
          queue.push({ id, task, queuedAt: performance.now(), alone: false });
          wake();
      }
    },
    async step() {
      const [job] = queue;
      if (!job || !ready()) return;
      if (isEnd(job.task)) {
        queue.shift();
        if (job.task.kind === 'close') {
          file.close();
          done();
        }
        server.answer(job.id, undefined);
      } else if (job.task.kind === 'begin') hold(job.id, job.task);
      else if (standsAlone(job)) runAlone(job);
      else await runGroup();
    },
  };
}

/** Of what there is to do on the file. */
function isEnd({ kind }: WriterTask): boolean {
  return kind === 'wait' || kind === 'close';
}

function standsAlone({ task }: Job): boolean {
  return task.kind === 'statement' && STANDS_ALONE.test(task.statement.sql);
}

function wrote({ job: { task }, value, error }: Done): boolean {
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

function forgotten(): AppError {
  return new AppError('STATEMENT_TIMEOUT', 'This took too long, and nothing of it was written.');
}
