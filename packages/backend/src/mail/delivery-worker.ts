import type { Logger } from 'pino';
import type { Project } from '../database/project.ts';
import type { Meter } from '../runtime/meter.ts';
import { Poller, withLease } from '../runtime/poller.ts';
import { settledWithin } from '../runtime/within-time.ts';
import { deleteOldMessages } from './kept-messages.ts';
import { describeMailError, isPermanent, isServerFault, summarizeMailError } from './mail-errors.ts';
import type { MailSeal } from './mail-seal.ts';
import type { MailTransport, RefusedRecipient } from './mail-transport.ts';
import {
  type ClaimedMail,
  claimDue,
  deleteEnded,
  mailReader,
  mailWriter,
  markSent,
  nextTryAt,
  type OutboxRow,
  readAttachments,
  readMessage,
  rescheduleFarMails,
  updateClaimed,
} from './outbox-queries.ts';

/** Mails that are sent at the same time. */
const CONCURRENCY = 4;

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** All in milliseconds. */
export interface DeliveryTimes {
  /** Pause before the second try; each further pause is four times as long. */
  firstRetry: number;
  /** Longest pause between two tries of a mail. */
  longestRetry: number;
  /** Longest pause between two tries while the server cannot be reached. */
  longestServerPause: number;
  /** Time after which another process may send a mail, unless the lease was renewed. */
  lease: number;
  /** Longest pause between two polls of the outboxes: other processes add mails, and may die. */
  poll: number;
  /** Longest time that `close` waits for mails that are being sent. */
  close: number;
}

const DEFAULT_TIMES: DeliveryTimes = {
  firstRetry: 2_000,
  longestRetry: 4 * HOUR_MS,
  longestServerPause: 5 * 60_000,
  lease: 60_000,
  poll: 30_000,
  close: 10_000,
};

/** Milliseconds that the rows of ended mails stay. Rows of sent mails have no content. */
const RETENTION_MS = { sent: 7 * DAY_MS, failed: 30 * DAY_MS };

/** Bytes of failed mails that stay, the newest first: a server that refuses everything must not fill the disk. */
const MAX_FAILED_BYTES = 256 * 1024 * 1024;
/** Bytes of newly failed mails after which old ones are deleted before the hour is over. */
const FAILED_BYTES_PER_CLEANUP = 32 * 1024 * 1024;

export interface DeliveryWorkerOptions {
  projects: ReadonlyMap<string, Project>;
  /** The worker owns the transport and closes it. */
  transport: MailTransport;
  seal: MailSeal;
  log: Logger;
  meter?: Meter | undefined;
  times?: Partial<DeliveryTimes>;
  /** Epoch ms. */
  now?: () => number;
}

/** Sends the mails that wait in the outboxes of all projects. Any number of processes may each have a worker. */
export class DeliveryWorker {
  readonly #projects: ReadonlyMap<string, Project>;
  readonly #transport: MailTransport;
  readonly #seal: MailSeal;
  readonly #log: Logger;
  readonly #times: DeliveryTimes;
  readonly #now: () => number;
  readonly #poller: Poller;
  readonly #sending = new Map<Promise<void>, { project: Project; mail: ClaimedMail }>();
  readonly #meter: Meter | undefined;
  #cleanedAt = 0;
  /** Bytes of mails that have failed since the last cleanup. */
  #failedBytes = 0;
  /** Tries in a row that did not reach the server. After one, the server gets a pause and then one mail at a time. */
  #serverFailures = 0;
  #pausedUntil = 0;

  constructor(options: DeliveryWorkerOptions) {
    const { projects, transport, seal, log, meter, times = {}, now = Date.now } = options;
    this.#projects = projects;
    this.#transport = transport;
    this.#seal = seal;
    this.#log = log;
    this.#meter = meter;
    this.#times = { ...DEFAULT_TIMES, ...times };
    this.#now = now;
    this.#poller = new Poller({
      name: 'mail-delivery',
      meter,
      errorPauseMs: this.#times.poll,
      poll: () => this.#poll(),
      onError: (error) => log.error({ failure: describeMailError(error) }, 'The outbox could not be read'),
    });
    this.#poller.wake();
  }

  /** Returns whether the last try did not reach the server. */
  get isServerAway(): boolean {
    return this.#serverFailures > 0;
  }

  /** Polls at once, for mails that were just added. */
  wake(): void {
    this.#poller.wake();
  }

  /** Resolves when no mail is being sent or due. */
  async idle(): Promise<void> {
    do await this.#settled();
    while (this.#poller.isPolling || this.#sending.size > 0);
  }

  /** Waits for the mails that are being sent, for `times.close` at most, then closes the transport. */
  async close(): Promise<void> {
    void this.#poller.close();
    await settledWithin(this.#times.close, this.#settled());
    const left = [...this.#sending.values()];
    await this.#transport.close();
    // Releases the mails, so that the next process need not wait for the end of the lease.
    for (const { project, mail } of left) {
      const changes = { claim: null, next_try_at: this.#now() };
      await updateClaimed(mailWriter(project.database), mail, changes).catch(() => undefined);
    }
  }

  async #settled(): Promise<void> {
    await this.#poller.idle();
    while (this.#sending.size > 0) await Promise.race(this.#sending.keys());
  }

  async #poll(): Promise<number> {
    await this.#cleanUp();
    await this.#sendDue();
    return this.#untilNextPoll();
  }

  /** Takes some mails of each project in turn, so that no project waits for all mails of another. */
  async #sendDue(): Promise<void> {
    let found = true;
    while (found && !this.#poller.isClosed) {
      found = false;
      for (const project of this.#projects.values()) found = (await this.#sendSome(project)) || found;
    }
  }

  async #sendSome(project: Project): Promise<boolean> {
    // This read needs no lock, and mostly finds nothing.
    const next = await nextTryAt(project.database);
    if (next === undefined || next > this.#now()) return false;
    while (this.#sending.size >= this.#concurrency()) await Promise.race(this.#sending.keys());
    if (this.#poller.isClosed || this.#isPaused()) return false;
    const mails = await claimDue(project.database, {
      now: this.#now(),
      limit: this.#concurrency() - this.#sending.size,
      leaseUntil: this.#now() + this.#times.lease,
    });
    for (const mail of mails) {
      const job = this.#deliver(project, mail).finally(() => this.#sending.delete(job));
      this.#sending.set(job, { project, mail });
    }
    return mails.length > 0;
  }

  #concurrency(): number {
    return this.#serverFailures > 0 ? 1 : CONCURRENCY;
  }

  /** Never rejects. */
  async #deliver(project: Project, mail: ClaimedMail): Promise<void> {
    const leaseMs = this.#times.lease;
    const renew = () =>
      updateClaimed(mailWriter(project.database), mail, { next_try_at: this.#now() + leaseMs });
    try {
      await withLease({ leaseMs, renew }, () => this.#attempt(project, mail));
    } catch (error) {
      // The outcome is not stored, so the mail is sent again after the lease.
      const failure = describeMailError(error);
      this.#log.error({ mail: mail.kind, failure }, 'The outbox could not be written to');
    } finally {
      if (this.#failedBytes > FAILED_BYTES_PER_CLEANUP) this.#poller.wake();
    }
  }

  async #attempt({ database }: Project, mail: ClaimedMail): Promise<void> {
    const settle = async (changes: Partial<OutboxRow>) => {
      await updateClaimed(mailWriter(database), mail, changes);
      if (changes.state === 'failed') this.#failedBytes += mail.size;
      // The next poll may be later than the next try.
      if (changes.next_try_at !== undefined) this.#poller.wake();
    };
    if (mail.give_up_at <= this.#now()) return settle(this.#failed(mail.last_error ?? 'Too late'));
    let refused: readonly RefusedRecipient[];
    try {
      refused = await this.#transport.send({
        ...readMessage(mail, this.#seal),
        attachments: await readAttachments(mailReader(database), mail.id, this.#seal),
        messageId: mail.message_id,
        only: JSON.parse(mail.recipients) as string[],
      });
    } catch (error) {
      const isInterrupted = this.#poller.isClosed && !isPermanent(error);
      return settle(
        isInterrupted ? { claim: null, next_try_at: this.#now() } : this.#afterError(mail, error),
      );
    }
    this.#serverFailures = 0;
    this.#meter?.mailDeliveries.inc({ outcome: 'sent' });
    const deferred = refused.filter(({ permanent }) => !permanent).map(({ address }) => address);
    const note = refused.length > 0 ? `${refused.length} of its recipients were refused` : null;
    if (note) this.#log.warn({ mail: mail.kind, refused: refused.length }, 'A mail was refused for some');
    const retry = deferred.length > 0 ? this.#retryAt(mail, this.#times.longestRetry) : undefined;
    if (retry === undefined) return markSent(database, mail, { ended_at: this.#now(), last_error: note });
    const recipients = JSON.stringify(deferred);
    return settle({ claim: null, recipients, last_error: note, next_try_at: retry });
  }

  #afterError(mail: ClaimedMail, error: unknown): Partial<OutboxRow> {
    const line = { mail: mail.kind, tries: mail.tries, failure: describeMailError(error) };
    const serverFault = isServerFault(error);
    if (!serverFault) this.#serverFailures = 0;
    // Mails that fail together count as one failure.
    else if (!this.#isPaused()) {
      this.#serverFailures += 1;
      this.#pausedUntil =
        this.#now() + this.#pauseAfter(this.#serverFailures, this.#times.longestServerPause);
    }
    const longest = serverFault ? this.#times.longestServerPause : this.#times.longestRetry;
    const retry = isPermanent(error) ? undefined : this.#retryAt(mail, longest);
    this.#meter?.mailDeliveries.inc({ outcome: retry === undefined ? 'failed' : 'deferred' });
    if (retry === undefined) {
      this.#log.error(line, 'A mail could not be sent');
      return this.#failed(summarizeMailError(error));
    }
    this.#log.warn(line, 'A mail could not be sent yet');
    return { claim: null, last_error: summarizeMailError(error), next_try_at: retry };
  }

  #failed(reason: string): Partial<OutboxRow> {
    return { claim: null, state: 'failed', last_error: reason, ended_at: this.#now() };
  }

  /** Ignores a pause that is longer than any can be: the clock was set back during it. */
  #isPaused(): boolean {
    const left = this.#pausedUntil - this.#now();
    return left > 0 && left <= withJitter(this.#times.longestServerPause);
  }

  /** Returns undefined when the next try would be too late. */
  #retryAt({ tries, give_up_at: giveUpAt }: ClaimedMail, longest: number): number | undefined {
    const at = this.#now() + this.#pauseAfter(tries, longest);
    return at < giveUpAt ? at : undefined;
  }

  /** Adds jitter, so that mails that failed together are not tried again together. */
  #pauseAfter(tries: number, longest: number): number {
    const pause = Math.min(this.#times.firstRetry * 4 ** (tries - 1), longest);
    return Math.round(pause + Math.random() * (withJitter(pause) - pause));
  }

  async #untilNextPoll(): Promise<number> {
    let next = this.#now() + this.#times.poll;
    for (const { database } of this.#projects.values()) {
      next = Math.min(next, (await nextTryAt(database)) ?? next);
    }
    return Math.max((this.#isPaused() ? Math.max(next, this.#pausedUntil) : next) - this.#now(), 0);
  }

  async #cleanUp(): Promise<void> {
    const now = this.#now();
    const isDue = Math.abs(now - this.#cleanedAt) >= HOUR_MS;
    if (!isDue && this.#failedBytes <= FAILED_BYTES_PER_CLEANUP) return;
    this.#cleanedAt = now;
    this.#failedBytes = 0;
    const before = { sent: now - RETENTION_MS.sent, failed: now - RETENTION_MS.failed };
    for (const { database } of this.#projects.values()) {
      await deleteEnded(database, { ...before, maxFailedBytes: MAX_FAILED_BYTES });
      await deleteOldMessages(database);
      await rescheduleFarMails(database, { now, latest: now + withJitter(this.#times.longestRetry) });
    }
  }
}

/** Returns the longest pause that jitter can make of a pause. */
function withJitter(pause: number): number {
  return pause * 1.25;
}
