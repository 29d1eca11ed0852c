/** Epoch milliseconds of the last time that a `Date` can hold. */
const LAST_TIME = 8.64e15;

/** Returns a time that can be formatted: rows that were written by other ways than requests may hold a later one. */
export function validTime(time: number): number {
  return Math.min(Math.max(time, -LAST_TIME), LAST_TIME);
}

/** Returns epoch milliseconds as ISO 8601. */
export function isoTime(time: number): string {
  return new Date(validTime(time)).toISOString();
}
