import type { RateLimit } from '../../http/rate-limit.ts';
import type { SemaphoreOptions } from '../../runtime/semaphore.ts';

const HOUR = 60 * 60;

/** Emails that a user may send to their own address. */
export const EMAILS_PER_USER: RateLimit = {
  name: 'email-user',
  points: 20,
  duration: HOUR,
  message: 'You have written as many emails as you may in an hour. Please try again later.',
};

/** Emails of all users of a project: the project's own server always has the rest. */
export const EMAILS_OF_USERS: RateLimit = {
  name: 'email-users',
  points: 1_000,
  duration: HOUR,
  message: 'Many have written emails here in the last hour. Please try again later.',
};

/** Emails of all callers of a project. */
export const EMAILS_PER_PROJECT: RateLimit = {
  name: 'email-project',
  points: 2_000,
  duration: HOUR,
  message: 'This project has written as many emails as it may in an hour. Please try again later.',
};

/** This is high because mail providers send the requests of many people from a few IP addresses. */
export const STOPS_PER_IP: RateLimit = { name: 'notice-stop-address', points: 600, duration: 5 * 60 };

/** Limits of a project's outbox, so that the disk does not fill up while the mail server is down. */
export const MAX_WAITING = { mails: 10_000, bytes: 512 * 1024 * 1024 };
/** Seconds after which a caller may try again when the outbox is full. */
export const RETRY_SECONDS = 10 * 60;

/** Bytes of the request body: 10 MB of attachments in base64, and the texts. */
export const MAX_EMAIL_BYTES = 18 * 1024 * 1024;

/** Emails that are handled at the same time: each may hold a body of that size, and its attachments once more. */
export const EMAIL_CONCURRENCY: SemaphoreOptions = {
  concurrency: 8,
  perKey: { concurrency: 2, maxWaiting: 20 },
};

/** Milliseconds for fetching all attachments of an email. */
export const FETCH_ALL_TIMEOUT_MS = 30_000;
