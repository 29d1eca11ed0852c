import { InvalidArgumentError } from '@commander-js/extra-typings';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Converts `36h` or `7d` to milliseconds. Throws for anything else, and for less than a day. */
export function parseAge(typed: string): number {
  const [, number, unit] = /^(\d{1,5})(h|d)$/.exec(typed.trim()) ?? [];
  const age = Number(number ?? 0) * (unit === 'd' ? DAY_MS : HOUR_MS);
  if (age >= DAY_MS) return age;
  throw new InvalidArgumentError('It must be hours or days, such as 36h or 7d, and a day at least.');
}

/** Returns the parser of a whole number from 1 to `most`. */
export function countUpTo(most: number): (typed: string) => number {
  return (typed) => {
    const count = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
    if (count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`It must be a number from 1 to ${most}.`);
  };
}

/** Returns `['a', 'b']` for `a,b`. */
export function parseNames(typed: string): string[] {
  return typed
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
