import { usageError } from './command-error.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Converts `36h` or `7d` to milliseconds. Throws a usage error for anything else, and for less than a day.
 */
export function parseAge(typed: string | undefined, fallback: number, option = '--older-than'): number {
  if (typed === undefined) return fallback;
  const [, number, unit] = /^(\d{1,5})(h|d)$/.exec(typed.trim()) ?? [];
  const age = Number(number ?? 0) * (unit === 'd' ? DAY_MS : HOUR_MS);
  if (age >= DAY_MS) return age;
  throw usageError(`${option} must be hours or days, such as 36h or 7d, and a day at least, not "${typed}".`);
}

const MAX_LIMIT = 10_000;

/** Returns the number of rows. Throws a usage error for anything but a number from 1 to 10,000. */
export function parseLimit(typed: string | undefined, fallback: number): number {
  if (typed === undefined) return fallback;
  const limit = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw usageError(`--limit must be a number from 1 to ${MAX_LIMIT}, not "${typed}".`);
}

/** Returns `['a', 'b']` for `a,b`; an empty list when nothing was given. */
export function parseNames(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
