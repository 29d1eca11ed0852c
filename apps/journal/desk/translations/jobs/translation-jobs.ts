import { randomUUID } from 'node:crypto';
import { AppError, Poller, type TextModel, withLease } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import type { TranslationJob } from '../../../project/translations.ts';
import type { JobContext } from '../../desk-context.ts';
import { newId } from '../../write-copy.ts';
import { readAgain } from '../judge/read-again.ts';
import { Originals } from '../original.ts';
import { releaseReady } from '../releases/release-ready.ts';
import {
  addJob,
  askedText,
  cancelJob,
  claimJob,
  findDueJobs,
  findJob,
  presentJob,
  readJob,
  updateLeased,
} from './job-rows.ts';
import { parsePatiently } from './parse-patiently.ts';
import { type JobFault, runJob } from './run-job.ts';

interface TranslationJobsOptions {
  desk: JobContext;
  model: TextModel;
  /** Milliseconds after which another node takes over a job of one that has died. */
  leaseMs?: number | undefined;
  /** Milliseconds after the first call that failed. */
  firstPauseMs?: number | undefined;
}

/** Longest pause between two looks for the jobs of dead nodes, in milliseconds. */
const POLL_MS = 5_000;
const LEASE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
/** Jobs of a node at a time; the calls of all of them take turns. */
const MAX_JOBS = 8;
/** A job that has ended with its node so often is not begun again. */
const MAX_ATTEMPTS = 5;

/** Names in `translation_jobs.fault` for what segments lack; errors of the model have their codes. */
const FAULTS: Record<NonNullable<JobFault>, string> = { provider: 'AI_FAILED', unusable: 'UNUSABLE' };

/** The translations that go on without their authors: each is done by one node under a lease, and cancelled from any. */
export class TranslationJobs {
  readonly #options: TranslationJobsOptions;
  readonly #node = randomUUID();
  readonly #running = new Map<string, { postId: string; abort: AbortController; ended: Promise<void> }>();
  readonly #poller: Poller;
  readonly #stop = new AbortController();
  readonly #unsubscribe: () => void;

  constructor({ desk, ...options }: TranslationJobsOptions) {
    const { firstPauseMs = FIRST_PAUSE_MS } = options;
    const parse = parsePatiently(desk.originals.parse, { firstPauseMs, signal: this.#stop.signal });
    this.#options = { ...options, desk: { ...desk, originals: new Originals(parse) } };
    // The database adds a job with each post that another program creates with a machine's translations.
    this.#unsubscribe = desk.bus.subscribe(({ projectId, table, operation, after }) => {
      if (projectId !== desk.project.definition.id) return;
      const isOfMachine = table === 'journal_posts' && operation === 'create' && after?.translated_by;
      if (isOfMachine) this.#poller.wake();
    });
    this.#poller = new Poller({
      errorPauseMs: POLL_MS,
      poll: () => this.#poll(),
      onError: (err) => desk.log.error({ err }, 'Translation jobs could not be looked for'),
    });
    this.#poller.wake();
  }

  /**
   * Begins to translate a post, or adds to the job of the account that is under way. Segments that are named are translated in any
   * case, and else those that need it. Throws AI_NOT_CONFIGURED.
   */
  async start(
    { postId, userId }: { postId: string; userId: string },
    { languages, segments }: { languages: readonly Language[]; segments: readonly string[] | null },
  ): Promise<TranslationJob> {
    const { desk, model } = this.#options;
    if (!model.name) {
      throw new AppError(
        'AI_NOT_CONFIGURED',
        'No language model is set up here. The operator can name one in AI_TEXT_MODEL.',
      );
    }
    const now = desk.now();
    const job = await addJob(desk.project.database, {
      id: newId('job', now),
      post_id: postId,
      user_id: userId,
      state: 'waiting',
      languages: languages.join(','),
      segments:
        segments &&
        JSON.stringify(segments.flatMap((id) => languages.map((language) => askedText(id, language)))),
      words_done: 0,
      words_total: 0,
      fault: null,
      attempts: 0,
      leased_until: null,
      leased_by: null,
      created_at: now,
      updated_at: now,
    });
    this.#poller.wake();
    return presentJob(job);
  }

  /** Looks for jobs, now that one was added. */
  wake(): void {
    this.#poller.wake();
  }

  /** Returns the last job of a post. */
  async find(postId: string): Promise<TranslationJob | null> {
    const row = await findJob(this.#options.desk.project.database, postId);
    return row ? presentJob(row) : null;
  }

  /** Ends the job of a post. What is translated already stays. */
  async cancel(postId: string): Promise<void> {
    const { desk } = this.#options;
    await cancelJob(desk.project.database, postId, desk.now());
    for (const job of this.#running.values()) if (job.postId === postId) job.abort.abort(cancelled());
  }

  /** Stops, and leaves what is under way to other nodes. */
  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#poller.close();
    for (const { abort } of this.#running.values()) abort.abort(new Error('The server stops.'));
    this.#stop.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #poll(): Promise<number> {
    const { desk, leaseMs = LEASE_MS } = this.#options;
    const { database } = desk.project;
    const room = MAX_JOBS - this.#running.size;
    const due = room > 0 ? await findDueJobs(database, Date.now(), room + this.#running.size) : [];
    for (const job of due) {
      if (this.#poller.isClosed || this.#running.size >= MAX_JOBS) break;
      // A post's jobs are done one after the other.
      if ([...this.#running.values()].some(({ postId }) => postId === job.post_id)) continue;
      const now = Date.now();
      if (!(await claimJob(database, job, { node: this.#node, until: now + leaseMs, now }))) continue;
      const abort = new AbortController();
      const ended = this.#work(job.id, abort).finally(() => {
        this.#running.delete(job.id);
        this.#poller.wake();
      });
      this.#running.set(job.id, { postId: job.post_id, abort, ended });
    }
    return Math.min(POLL_MS, leaseMs);
  }

  /** Does a claimed job to its end, or until its lease is lost. */
  async #work(id: string, abort: AbortController): Promise<void> {
    const { desk, leaseMs = LEASE_MS } = this.#options;
    const renew = async () => {
      const isOurs = await updateLeased(
        desk.project.database,
        { id, node: this.#node },
        {
          leased_until: Date.now() + leaseMs,
        },
      );
      if (!isOurs) abort.abort(cancelled());
    };
    await withLease({ leaseMs, renew }, async () => {
      try {
        await this.#translate(id, abort.signal);
      } catch (error) {
        await this.#fail(id, error, abort.signal);
      }
    }).catch((err) => desk.log.error({ err, job: id }, 'A translation job could not be ended'));
  }

  /** Translates until nothing is left that was asked for: an author may ask for more meanwhile. */
  async #translate(id: string, signal: AbortSignal): Promise<void> {
    const { desk, model, firstPauseMs } = this.#options;
    const { database } = desk.project;
    const lease = { id, node: this.#node };
    const done = new Set<string>();
    let fault: JobFault = null;
    for (;;) {
      const job = await readJob(database, id);
      if (job?.leased_by !== this.#node || job.state !== 'running') return;
      if (Number(job.attempts) > MAX_ATTEMPTS) throw new Error('Too many nodes have ended with this job.');
      let words = Number(job.words_done);
      const last = await runJob({
        ...{ desk, model, job, signal, done, firstPauseMs },
        async onPlanned(planned) {
          await updateLeased(database, lease, { words_total: words + planned });
        },
        async onWritten(written) {
          words += written;
          await updateLeased(database, lease, { words_done: words });
        },
        async onLanguageEnded(language) {
          const { post_id: postId, user_id: userId } = job;
          await readAgain({ desk, model, postId, userId, language, signal, firstPauseMs });
          await releaseReady(desk, postId, { languages: [language], by: userId, isAsked: true });
        },
      });
      signal.throwIfAborted();
      // What an earlier run could not do is not tried again by a later one.
      fault = last ?? fault;
      const ended = await updateLeased(
        database,
        { ...lease, asked: job },
        {
          state: fault === null ? 'done' : 'failed',
          fault: fault && FAULTS[fault],
          ...(fault === null && { words_total: words }),
          updated_at: desk.now(),
          leased_by: null,
          leased_until: null,
        },
      );
      if (ended) return;
    }
  }

  async #fail(id: string, error: unknown, signal: AbortSignal): Promise<void> {
    const { desk } = this.#options;
    const { database } = desk.project;
    const lease = { id, node: this.#node };
    if (signal.aborted) {
      // This node stops: another one goes on at once. A job that was cancelled is no longer this node's.
      await updateLeased(database, lease, { state: 'waiting', leased_by: null, leased_until: null });
      return;
    }
    const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
    // Programs store translations of other models where none is set up.
    if (code !== 'AI_NOT_CONFIGURED' && (!(error instanceof AppError) || error.status >= 500)) {
      desk.log.error({ err: error, job: id }, 'A translation job has failed');
    }
    await updateLeased(database, lease, {
      ...{ state: 'failed', fault: code, leased_by: null, leased_until: null },
      updated_at: desk.now(),
    });
  }
}

function cancelled(): AppError {
  return new AppError('CONFLICT', 'The job was cancelled.');
}
