import type { RateLimit } from '../../http/rate-limit.ts';

/**
 * Events and calls of one address: readers of a school or an mailQueue share one. Each of them sends some twenty events
 * in a busy minute.
 */
export const EVENTS_OF_ADDRESS: RateLimit = { name: 'analytics-address', points: 20_000, duration: 60 };
/** So that one address does not make an author's figures whatever it likes. */
export const EVENTS_OF_ADDRESS_IN_AN_HOUR: RateLimit = {
  name: 'analytics-address-hour',
  points: 30_000,
  duration: 60 * 60,
};
export const INSIGHTS_OF_USER: RateLimit = { name: 'insights-user', points: 120, duration: 60 };

/** Milliseconds that a client may have kept an event while it was offline. */
export const LATEST_ARRIVAL_MS = 48 * 60 * 60 * 1_000;

/** Fields of one event, and how deep lists and objects in it may lie in each other. */
export const MAX_PROPERTIES = 64;
export const MAX_DEPTH = 4;

/** Values that are counted apart of one day, dimension and owner; the rest counts under one name. */
export const VALUES_PER_DAY = 1_000;
export const OTHER_VALUES = 'other';

/** Values that one reader is counted under in a day; a person comes to a tenth of it. */
export const VALUES_OF_READER = 1_000;

/** Bytes of single events that one process stores in a day of one project: strangers must not fill the disk. */
export const EVENT_BYTES_PER_DAY = 512 * 1024 * 1024;

/** Events that are stored in one transaction … */
export const EVENTS_PER_GROUP = 2_000;
/** … and bytes of those that may wait for one in a project: some 15,000 as browsers send them. */
export const MAX_WAITING_BYTES = 20 * 1024 * 1024;
/** Milliseconds that a call waits for others to share a transaction with. */
export const GROUP_WAIT_MS = 20;

/** Rows that are deleted in one transaction. */
export const ROWS_PER_STEP = 1_000;
