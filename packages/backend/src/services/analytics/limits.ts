import type { RateLimit } from '../../http/rate-limit.ts';

/** Events and requests of one IP address, which a whole school or company may share. A busy reader sends 20 a minute. */
export const EVENTS_PER_IP: RateLimit = { name: 'analytics-address', points: 20_000, duration: 60 };
/** Limits how much one IP address can distort an author's figures. */
export const EVENTS_PER_IP_AND_HOUR: RateLimit = {
  name: 'analytics-address-hour',
  points: 30_000,
  duration: 60 * 60,
};
export const INSIGHTS_PER_USER: RateLimit = { name: 'insights-user', points: 120, duration: 60 };

/** Milliseconds that a client may hold an event back while it is offline. */
export const MAX_EVENT_AGE_MS = 48 * 60 * 60 * 1_000;

/** Properties of one event, and how deep lists and objects in it may be nested. */
export const MAX_PROPERTIES = 64;
export const MAX_DEPTH = 4;

/** Values of one day, dimension and owner that are counted apart; all others count as `other`. */
export const VALUES_PER_DAY = 1_000;
export const OTHER_VALUES = 'other';

/** Values that one reader is counted under in a day; a person reaches a tenth of it. */
export const VALUES_PER_READER = 1_000;

/** Bytes of single events of one project that one process stores in a day, so that clients cannot fill the disk. */
export const EVENT_BYTES_PER_DAY = 512 * 1024 * 1024;

export const EVENTS_PER_TRANSACTION = 2_000;
/** Bytes of events of one project that may wait for a transaction: some 15,000 events of browsers. */
export const MAX_WAITING_BYTES = 20 * 1024 * 1024;
/** Milliseconds that a request waits for others to share a transaction with. */
export const GROUP_WAIT_MS = 20;

/** Rows that are deleted in one transaction. */
export const ROWS_PER_STEP = 1_000;
