import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Mailer, MailMessage } from './mailer.ts';

/** Mails that are made and sent at the same time. */
const AT_ONCE = 4;
/** Mails that may wait for their turn: with a server that is down, and many who ask, memory stays bounded. */
const MAX_WAITING = 1_000;

/** Milliseconds. */
export interface PostOfficeTimes {
  /** Before a mail is even begun: by then the answer to the request has left, and cannot be delayed by it. */
  start: number;
  /** Before each further try; as many tries as there are waits, and one more. */
  retries: readonly number[];
  /** That `close` waits at most. */
  close: number;
}

export const POST_OFFICE_TIMES: PostOfficeTimes = { start: 50, retries: [1_000, 5_000], close: 10_000 };

export type PrepareMail = () => Promise<MailMessage | undefined>;

/** Sends mails in the background, so that no answer waits for one, or tells by its time whether there is one. */
export interface PostOffice {
  /**
   * Returns at once. `prepare` makes the mail, later and only once, or finds that nobody is to have one; what it or the
   * sending fails with is logged under `kind`, never what the mail says or to whom.
   */
  post(kind: string, prepare: PrepareMail): void;
  /** Waits for what was posted, then closes the mailer; what is not sent by then is logged and lost. */
  close(): Promise<void>;
}

export interface PostOfficeOptions {
  /** The post office's own from now on: it closes it. */
  mailer: Mailer;
  log: Logger;
  times?: PostOfficeTimes;
}

interface Order {
  kind: string;
  prepare: PrepareMail;
}

export function createPostOffice({ mailer, log, times = POST_OFFICE_TIMES }: PostOfficeOptions): PostOffice {
  const waiting: Order[] = [];
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();

  function startWaiting() {
    while (underWay.size < AT_ONCE) {
      const order = waiting.shift();
      if (!order) return;
      const job = deliver(order).finally(() => {
        underWay.delete(job);
        startWaiting();
      });
      underWay.add(job);
    }
  }

  async function deliver({ kind, prepare }: Order) {
    try {
      const message = await prepare();
      if (message) await sendPatiently(message);
    } catch (error) {
      log.error({ mail: kind, failure: describe(error) }, 'A mail could not be sent');
    }
  }

  async function sendPatiently(message: MailMessage) {
    for (const pause of times.retries) {
      try {
        return await mailer.send(message);
      } catch (error) {
        if (isPermanent(error)) throw error;
        // Whoever closes has no time for pauses: the rest of the tries follow at once.
        await wait(pause, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
    await mailer.send(message);
  }

  return {
    post(kind, prepare) {
      if (closing.signal.aborted || waiting.length >= MAX_WAITING) {
        log.error({ mail: kind }, 'A mail was not taken: too many are waiting, or the server is stopping');
        return;
      }
      waiting.push({ kind, prepare });
      setTimeout(startWaiting, times.start);
    },
    async close() {
      closing.abort();
      startWaiting();
      await Promise.race([allOf(underWay), wait(times.close, undefined, { ref: false })]);
      for (const { kind } of waiting.splice(0))
        log.error({ mail: kind }, 'A mail was not sent before the stop');
      await mailer.close();
    },
  };
}

/** Those that are added meanwhile as well. */
async function allOf(jobs: ReadonlySet<Promise<void>>): Promise<void> {
  while (jobs.size > 0) await Promise.race(jobs);
}

/** A refusal for good (5xx of SMTP, a message that cannot be sent at all): asking again would only annoy. */
function isPermanent(error: unknown): boolean {
  return (error as { permanent?: unknown } | null)?.permanent === true;
}

/**
 * What went wrong and where, without its message: servers quote addresses in theirs, and other errors may quote
 * the mail.
 */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, code, syscall, command, responseCode } = error as NodeJS.ErrnoException & {
    command?: string;
    responseCode?: number;
  };
  const at = error.stack?.match(/^ {4}at .+$/gm)?.slice(0, 3);
  return { name, code, syscall, command, responseCode, at };
}
