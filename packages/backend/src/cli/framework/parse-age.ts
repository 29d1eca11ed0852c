import { usageError } from './command-error.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** `36h` or `7d` in milliseconds; throws a usage error for what is no such age, or less than a day. */
export function parseAge(typed: string | undefined, fallback: number, option = '--older-than'): number {
  if (typed === undefined) return fallback;
  const [, number, unit] = /^(\d{1,5})(h|d)$/.exec(typed.trim()) ?? [];
  const age = Number(number ?? 0) * (unit === 'd' ? DAY_MS : HOUR_MS);
  if (age >= DAY_MS) return age;
  throw usageError(`${option} must be hours or days, such as 36h or 7d, and a day at least, not "${typed}".`);
}
