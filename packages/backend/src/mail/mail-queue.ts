import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Project } from '../database/project.ts';
import { Semaphore } from '../runtime/semaphore.ts';
import { type CourierTimes, createDeliveryWorker } from './delivery-worker.ts';
import { describeFailure } from './describe-failure.ts';
import type { MailMessage, MailTransport, OutgoingMail } from './mail-transport.ts';
import { type MailConnection, mailWriter, putMail, TRIED_MS } from './outbox-queries.ts';
import { parseSender } from './parse-sender.ts';

/** Mails that are made at the same time. */
const AT_ONCE = 4;
/** Mails that may wait to be made: with many who ask, memory stays bounded. */
const MAX_WAITING = 1_000;

/** Milliseconds. */
export interface MailQueueTimes extends CourierTimes {
  /** Before a mail is even begun: by then the answer to the request has left, and cannot be delayed by it. */
  start: number;
}

const START_MS = 50;
const CLOSE_MS = 10_000;

export interface PreparedMail extends MailMessage {
  /** The account that it is for; deleted with it. */
  userId?: string | null;
  /** Milliseconds that it is of any use for; three days at most, and by default. */
  usefulMs?: number;
}

export type PrepareMail = () => Promise<PreparedMail | undefined>;

export interface AcceptedMail {
  kind: string;
  mail: OutgoingMail;
  userId?: string | null;
  usefulMs?: number;
}

/** Where mails are handed in: those that are taken lie in the outbox of their project, and are sent from there. */
export interface MailQueue {
  /**
   * Returns at once, so that no answer waits for a mail, or tells by its time whether there is one. `prepare` makes
   * the mail, later and only once, or finds that nobody is to have one; what it fails with is logged under `kind`,
   * never what the mail says or to whom.
   */
  post(project: Project, kind: string, prepare: PrepareMail): void;
  /**
   * Resolves with its Message-ID once the mail is in the outbox for good, or with the transaction that is given; then
   * `sendSoon` is to be called when that is committed.
   */
  accept(project: Project, mail: AcceptedMail, transaction?: MailConnection): Promise<string>;
  sendSoon(): void;
  /** Resolves when all that was posted is sent, or waits for another try. */
  idle(): Promise<void>;
  /** Puts what was posted into the outbox, ends what is on its way, and closes the transport. */
  close(): Promise<void>;
}

export interface MailQueueOptions {
  projects: ReadonlyMap<string, Project>;
  /** The post mailQueue's own from now on: it closes it. */
  transport: MailTransport;
  /** Who mails come from. */
  from: string;
  log: Logger;
  times?: Partial<MailQueueTimes>;
  /** Epoch ms. */
  now?: () => number;
}

interface Order {
  project: Project;
  kind: string;
  prepare: PrepareMail;
}

export function createMailQueue({ from, log, times = {}, ...options }: MailQueueOptions): MailQueue {
  const { start = START_MS, close = CLOSE_MS } = times;
  const { now = Date.now } = options;
  const domain = parseSender(from).address.split('@')[1] ?? '';
  const courier = createDeliveryWorker({ ...options, log, times });
  const limit = new Semaphore({ concurrency: AT_ONCE });
  const stopping = new AbortController();
  /** Orders whose start is still to come. */
  const waiting: Order[] = [];
  let closed = false;

  function startWaiting() {
    for (const order of waiting.splice(0)) {
      limit
        .run(() => make(order), { signal: stopping.signal })
        .catch(() => log.error({ mail: order.kind }, 'A mail was not made before the stop'));
    }
  }

  /** Never rejects. */
  async function make({ project, kind, prepare }: Order) {
    try {
      const prepared = await prepare();
      if (!prepared) return;
      const { userId = null, usefulMs = TRIED_MS, ...mail } = prepared;
      await accept(project, { kind, mail, userId, usefulMs });
    } catch (error) {
      log.error({ mail: kind, failure: describeFailure(error) }, 'A mail could not be put into the outbox');
    }
  }

  async function accept(
    { database }: Project,
    { usefulMs = TRIED_MS, ...mail }: AcceptedMail,
    transaction?: MailConnection,
  ): Promise<string> {
    const put = (connection: MailConnection) => {
      const time = now();
      const giveUpAt = time + Math.min(usefulMs, TRIED_MS);
      return putMail(connection, { ...mail, domain, giveUpAt, now: time });
    };
    if (transaction) return put(transaction);
    const messageId = await mailWriter(database).transaction().execute(put);
    courier.wake();
    return messageId;
  }

  return {
    post(project, kind, prepare) {
      if (closed || waiting.length + limit.waiting >= MAX_WAITING) {
        log.error({ mail: kind }, 'A mail was not taken: too many are waiting, or the server is stopping');
        return;
      }
      waiting.push({ project, kind, prepare });
      setTimeout(startWaiting, start);
    },
    accept,
    sendSoon: () => courier.wake(),
    async idle() {
      startWaiting();
      await limit.idle();
      await courier.idle();
    },
    async close() {
      closed = true;
      startWaiting();
      await Promise.race([limit.idle(), wait(close, undefined, { ref: false })]);
      stopping.abort();
      await courier.close();
    },
  };
}
