import type { Keys } from '../core/keys.ts';
import type { Project } from '../database/project.ts';
import type { Reading } from '../runtime/meter.ts';
import { Semaphore } from '../runtime/semaphore.ts';
import { settledWithin } from '../runtime/within-time.ts';
import { type DeliveryTimes, DeliveryWorker, type DeliveryWorkerOptions } from './delivery-worker.ts';
import { describeMailError } from './mail-errors.ts';
import { createMailSeal } from './mail-seal.ts';
import type { MailMessage } from './mail-transport.ts';
import { countByState, MAX_DELIVERY_MS, type MailConnection } from './outbox-queries.ts';
import { createMailStore, type QueuedMail } from './store-mail.ts';

/** Mails that are prepared at the same time. */
const CONCURRENCY = 4;
/** Mails that may wait to be prepared, so that memory stays bounded. */
const MAX_WAITING = 1_000;

/** All in milliseconds. */
export interface MailQueueTimes extends DeliveryTimes {
  /** Pause before a mail is prepared: the response to the request has left by then and is not delayed. */
  start: number;
}

const START_MS = 50;
const CLOSE_MS = 10_000;

export interface PreparedMail extends MailMessage {
  /** The account that the mail is for; the mail is deleted with it. */
  userId?: string | null;
  /** Milliseconds that the mail is useful; three days at most, and by default. */
  usefulMs?: number;
}

type PrepareMail = () => Promise<PreparedMail | undefined>;

/** Puts mails into the outbox of their project, from which a delivery worker sends them. */
export interface MailQueue {
  /**
   * Returns at once, so that no response waits for a mail or reveals by its time whether there is one. `prepare` is called
   * once, later, and returns the mail, or undefined when none is to be sent. Its errors are logged under `kind`, without
   * the content or the recipients of the mail.
   */
  enqueueLater(project: Project, kind: string, prepare: PrepareMail): void;
  /**
   * Resolves with the Message-ID once the mail is in the outbox. With a transaction, the mail is in the outbox once that is
   * committed; call `wake` then.
   */
  enqueue(project: Project, mail: QueuedMail, transaction?: MailConnection): Promise<string>;
  /** Sends new mails at once, rather than with the next poll. */
  wake(): void;
  /** Returns whether the mail server could not be reached with the last mail. */
  isServerAway(): boolean;
  /** Resolves when the mail server can be reached and lets us in. Rejects with its error. */
  verifyServer(): Promise<void>;
  /** Resolves when every mail is sent or waits for another try. */
  idle(): Promise<void>;
  /** Puts the mails that are still to be prepared into the outbox, and closes the delivery worker and its transport. */
  close(): Promise<void>;
}

export interface MailQueueOptions extends Omit<DeliveryWorkerOptions, 'seal'> {
  keys: Pick<Keys, 'refreshKeys'>;
  /** The sender of mails that name none. */
  from: string;
  times?: Partial<MailQueueTimes>;
}

interface WaitingMail {
  project: Project;
  kind: string;
  prepare: PrepareMail;
}

export function createMailQueue({ from, keys, log, times = {}, ...options }: MailQueueOptions): MailQueue {
  const { start = START_MS, close = CLOSE_MS } = times;
  const store = createMailStore({ keys, from, now: options.now });
  const seal = createMailSeal(keys);
  const worker = new DeliveryWorker({ ...options, seal, log, times });
  const limit = new Semaphore({ concurrency: CONCURRENCY });
  options.meter?.addQueue('mails', limit);
  options.meter?.mails.add(() => countMails(options.projects));
  const stopping = new AbortController();
  /** Mails whose `start` pause is not over. */
  const waiting: WaitingMail[] = [];
  let closed = false;

  function startWaiting() {
    for (const mail of waiting.splice(0)) {
      limit
        .run(() => prepareAndEnqueue(mail), { signal: stopping.signal })
        .catch(() => log.error({ mail: mail.kind }, 'A mail was not prepared before the stop'));
    }
  }

  /** Never rejects. */
  async function prepareAndEnqueue({ project, kind, prepare }: WaitingMail) {
    try {
      const prepared = await prepare();
      if (!prepared) return;
      const { userId = null, usefulMs = MAX_DELIVERY_MS, ...mail } = prepared;
      await enqueue(project, { kind, mail, userId, usefulMs });
    } catch (error) {
      // Tokens and mails refer to nothing but the account that they are for.
      if (project.database.violation(error) === 'foreign-key') {
        log.info({ mail: kind }, 'A mail was dropped: its account was deleted meanwhile');
        return;
      }
      log.error({ mail: kind, failure: describeMailError(error) }, 'A mail could not be put into the outbox');
    }
  }

  async function enqueue(...[project, mail, transaction]: Parameters<MailQueue['enqueue']>): Promise<string> {
    const messageId = await store(project, mail, transaction);
    if (!transaction) worker.wake();
    return messageId;
  }

  return {
    enqueueLater(project, kind, prepare) {
      if (closed || waiting.length + limit.waiting >= MAX_WAITING) {
        log.error({ mail: kind }, 'A mail was dropped: too many are waiting, or the server is stopping');
        return;
      }
      waiting.push({ project, kind, prepare });
      setTimeout(startWaiting, start);
    },
    enqueue,
    wake: () => worker.wake(),
    isServerAway: () => worker.isServerAway,
    verifyServer: () => options.transport.verify(),
    async idle() {
      startWaiting();
      await limit.idle();
      await worker.idle();
    },
    async close() {
      closed = true;
      startWaiting();
      await settledWithin(close, limit.idle());
      stopping.abort();
      await worker.close();
    },
  };
}

async function countMails(projects: ReadonlyMap<string, Project>): Promise<Reading<'project' | 'state'>[]> {
  const readings: Reading<'project' | 'state'>[] = [];
  for (const [project, { database }] of projects) {
    const counts = await countByState(database);
    for (const state of ['waiting', 'failed'] as const) {
      readings.push({ labels: { project, state }, value: counts.get(state) ?? 0 });
    }
  }
  return readings;
}
