import type { RateLimit } from '../../http/rate-limit.ts';
import type { SemaphoreOptions } from '../../runtime/semaphore.ts';

const HOUR = 60 * 60;

/** Mails that somebody may write to itself. */
export const EMAILS_OF_USER: RateLimit = {
  name: 'email-user',
  points: 20,
  duration: HOUR,
  message: 'You have written as many emails as you may in an hour. Please try again later.',
};

/** Mails of a project, whoever wrote them. */
export const EMAILS_OF_PROJECT: RateLimit = {
  name: 'email-project',
  points: 2_000,
  duration: HOUR,
  message: 'This project has written as many emails as it may in an hour. Please try again later.',
};

/** A token is asked about by mail programs as well, from a few addresses for very many people. */
export const STOPS_OF_ADDRESS: RateLimit = { name: 'notice-stop-address', points: 600, duration: 5 * 60 };

/** What may wait in a project's outbox: a mail server that is down must not fill the disk. */
export const MAX_WAITING = { mails: 10_000, bytes: 512 * 1024 * 1024 };
/** Seconds after which somebody whose mail found no room may ask again. */
export const ROOM_SECONDS = 10 * 60;

/** Of the call's body: 10 MB of attachments in base64, and the texts. */
export const MAX_EMAIL_BYTES = 18 * 1024 * 1024;

/** Mails that are taken at the same time: each may hold a body of that size, and its attachments once more. */
export const EMAILS_AT_ONCE: SemaphoreOptions = {
  concurrency: 8,
  perKey: { concurrency: 2, maxWaiting: 20 },
};

/** Milliseconds for all attachments of a mail that come as addresses. */
export const FETCH_ALL_MS = 30_000;
