import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Project } from '../database/project.ts';
import { Poller, withLease } from '../runtime/poller.ts';
import { backOffMs } from '../runtime/retry.ts';
import { describeFailure, isPermanent, isServersFault, nameFailure } from './describe-failure.ts';
import type { MailTransport, OutgoingMail, RefusedRecipient } from './mail-transport.ts';
import {
  bringForward,
  type ClaimedMail,
  claimDue,
  forgetEnded,
  mailReader,
  mailWriter,
  nextTryAt,
  type OutboxRow,
  readAttachments,
  settleSent,
  updateHeld,
} from './outbox-queries.ts';

/** The share of a pause that chance adds at most. */
const JITTER = 0.25;

/** Mails that are sent at the same time. */
const AT_ONCE = 4;

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds. */
export interface CourierTimes {
  /** Before the second try; each further one waits four times as long … */
  firstRetry: number;
  /** … but not longer than this. */
  longestRetry: number;
  /** Of a server that nobody reaches, the longest pause before it is asked whether it is back. */
  longestRest: number;
  /** A mail whose sender says nothing for so long is another's to send. */
  lease: number;
  /** At the latest after this the outboxes are looked at again: other processes put mails there, and die. */
  poll: number;
  /** That `close` waits at most for what is on its way. */
  close: number;
}

export const COURIER_TIMES: CourierTimes = {
  firstRetry: 2_000,
  longestRetry: 4 * HOUR_MS,
  longestRest: 5 * 60_000,
  lease: 60_000,
  poll: 30_000,
  close: 10_000,
};

/** How long it is known that a mail was sent (not what it said), and how long a failed one can be looked at. */
const KEPT_MS = { sent: 7 * DAY_MS, failed: 30 * DAY_MS };

/** Of failed mails, the newest: somebody whose own server refuses everything must not fill the disk. */
const MAX_FAILED_BYTES = 256 * 1024 * 1024;
/** So many bytes more that failed are looked at before the hour is over. */
const FAILED_AT_ONCE = 32 * 1024 * 1024;

/** Sends what waits in the outboxes of all projects; any number of processes may have one. */
export interface DeliveryWorker {
  /** Looks at once: there is something new. */
  wake(): void;
  /** Resolves when nothing is on its way, and nothing is due. */
  idle(): Promise<void>;
  /** Ends what is on its way, in the time there is for it; the rest waits in the outbox. Closes the transport. */
  close(): Promise<void>;
}

export interface DeliveryWorkerOptions {
  projects: ReadonlyMap<string, Project>;
  /** The courier's own from now on: it closes it. */
  transport: MailTransport;
  log: Logger;
  times?: Partial<CourierTimes>;
  /** Epoch ms. */
  now?: () => number;
}

export function createDeliveryWorker({
  projects,
  transport,
  log,
  times: given = {},
  now = Date.now,
}: DeliveryWorkerOptions): DeliveryWorker {
  const times = { ...COURIER_TIMES, ...given };
  const underWay = new Map<Promise<void>, { project: Project; mail: ClaimedMail }>();
  let tidiedAt = 0;
  /** Bytes since then. */
  let newlyFailed = 0;
  /** Tries in a row that did not reach the server; it is left alone for a while then, and asked with one mail. */
  let missed = 0;
  let restUntil = 0;

  const poller = new Poller({
    errorPauseMs: times.poll,
    async poll() {
      await tidyUp();
      await takeAll();
      return untilNext();
    },
    onError(error) {
      log.error({ failure: describeFailure(error) }, 'The outbox could not be looked at');
    },
  });

  /** By turns, so that no project's mails wait for all of another's. */
  async function takeAll(): Promise<void> {
    let found = true;
    while (found && !poller.isClosed) {
      found = false;
      for (const project of projects.values()) found = (await takeSome(project)) || found;
    }
  }

  async function takeSome(project: Project): Promise<boolean> {
    // A read waits for nobody, and mostly finds nothing.
    const next = await nextTryAt(project.database);
    if (next === undefined || next > now()) return false;
    while (underWay.size >= (missed > 0 ? 1 : AT_ONCE)) await Promise.race(underWay.keys());
    if (poller.isClosed || rests()) return false;
    const limit = missed > 0 ? 1 : AT_ONCE - underWay.size;
    const claim = { now: now(), limit, leaseUntil: now() + times.lease };
    const mails = await claimDue(project.database, claim);
    for (const mail of mails) {
      const job = deliver(project, mail).finally(() => underWay.delete(job));
      underWay.set(job, { project, mail });
    }
    return mails.length > 0;
  }

  /** Never rejects. */
  async function deliver(project: Project, mail: ClaimedMail): Promise<void> {
    const renew = () => updateHeld(mailWriter(project.database), mail, { next_try_at: now() + times.lease });
    try {
      await withLease({ leaseMs: times.lease, renew }, () => attempt(project, mail));
    } catch (error) {
      // What became of the mail could not be written down: it is sent again once the lease is over.
      log.error({ mail: mail.kind, failure: describeFailure(error) }, 'The outbox could not be written to');
    } finally {
      if (newlyFailed > FAILED_AT_ONCE) poller.wake();
    }
  }

  async function attempt({ database }: Project, mail: ClaimedMail): Promise<void> {
    const settle = async (changes: Partial<OutboxRow>) => {
      await updateHeld(mailWriter(database), mail, changes);
      if (changes.state === 'failed') newlyFailed += mail.size;
    };
    if (mail.give_up_at <= now()) return settle(failed(mail.last_error ?? 'Too late'));
    const attachments = await readAttachments(mailReader(database), mail.id);
    let refused: readonly RefusedRecipient[];
    try {
      refused = await transport.send({
        ...(JSON.parse(mail.message) as OutgoingMail),
        attachments,
        messageId: mail.message_id,
        only: JSON.parse(mail.recipients) as string[],
      });
    } catch (error) {
      if (poller.isClosed && !isPermanent(error)) return settle({ claim: null, next_try_at: now() });
      return settle(afterFailure(mail, error));
    }
    missed = 0;
    const deferred = refused.filter(({ permanent }) => !permanent).map(({ address }) => address);
    const note = refused.length > 0 ? `${refused.length} of its recipients were refused` : null;
    if (note) log.warn({ mail: mail.kind, refused: refused.length }, 'A mail was refused for some');
    const retry = deferred.length > 0 ? retryAt(mail) : undefined;
    if (retry === undefined) return settleSent(database, mail, { ended_at: now(), last_error: note });
    const recipients = JSON.stringify(deferred);
    return settle({ claim: null, recipients, last_error: note, next_try_at: retry });
  }

  function afterFailure(mail: ClaimedMail, error: unknown): Partial<OutboxRow> {
    const line = { mail: mail.kind, tries: mail.tries, failure: describeFailure(error) };
    const serversFault = isServersFault(error);
    if (!serversFault) missed = 0;
    // Several that fail together have asked once.
    else if (!rests()) {
      missed += 1;
      restUntil = now() + pauseAfter(missed, times.longestRest);
    }
    const longest = serversFault ? times.longestRest : times.longestRetry;
    const retry = isPermanent(error) ? undefined : retryAt(mail, longest);
    if (retry === undefined) {
      log.error(line, 'A mail could not be sent');
      return failed(nameFailure(error));
    }
    log.warn(line, 'A mail could not be sent yet');
    return { claim: null, last_error: nameFailure(error), next_try_at: retry };
  }

  /** A rest that is longer than any was ended by the clock, which was set back. */
  function rests(): boolean {
    const left = restUntil - now();
    return left > 0 && left <= latest(times.longestRest);
  }

  function failed(reason: string): Partial<OutboxRow> {
    return { claim: null, state: 'failed', last_error: reason, ended_at: now() };
  }

  /** Undefined when it would be too late. */
  function retryAt(
    { tries, give_up_at: giveUpAt }: ClaimedMail,
    longest = times.longestRetry,
  ): number | undefined {
    const at = now() + pauseAfter(tries, longest);
    return at < giveUpAt ? at : undefined;
  }

  /** Many that failed together do not come back together. */
  function pauseAfter(tries: number, longest: number): number {
    const backOff = { firstMs: times.firstRetry, factor: 4, longestMs: longest, jitter: JITTER };
    return Math.round(backOffMs(tries, backOff));
  }

  async function untilNext(): Promise<number> {
    let next = now() + times.poll;
    for (const { database } of projects.values()) {
      next = Math.min(next, (await nextTryAt(database)) ?? next);
    }
    return Math.max((rests() ? Math.max(next, restUntil) : next) - now(), 0);
  }

  async function tidyUp(): Promise<void> {
    const time = now();
    if (Math.abs(time - tidiedAt) < HOUR_MS && newlyFailed <= FAILED_AT_ONCE) return;
    tidiedAt = time;
    newlyFailed = 0;
    const before = { sent: time - KEPT_MS.sent, failed: time - KEPT_MS.failed };
    for (const { database } of projects.values()) {
      await forgetEnded(database, { ...before, maxFailedBytes: MAX_FAILED_BYTES });
      await bringForward(database, { now: time, latest: time + latest(times.longestRetry) });
    }
  }

  async function ended(): Promise<void> {
    await poller.idle();
    while (underWay.size > 0) await Promise.race(underWay.keys());
  }

  poller.wake();
  return {
    wake: () => poller.wake(),
    async idle() {
      do await ended();
      while (poller.isPolling || underWay.size > 0);
    },
    async close() {
      void poller.close();
      await Promise.race([ended(), wait(times.close, undefined, { ref: false })]);
      const left = [...underWay.values()];
      await transport.close();
      // Nobody sends them any more: the next process need not wait for the end of the lease.
      for (const { project, mail } of left) {
        const changes = { claim: null, next_try_at: now() };
        await updateHeld(mailWriter(project.database), mail, changes).catch(() => undefined);
      }
    },
  };
}

/** Of a pause, the longest that chance makes of it. */
function latest(pause: number): number {
  return pause * (1 + JITTER);
}
