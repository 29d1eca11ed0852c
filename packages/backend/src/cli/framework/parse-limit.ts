import { usageError } from './command-error.ts';

const MOST = 10_000;

/** How many rows are asked for; throws a usage error for what is no number from 1 to 10,000. */
export function parseLimit(typed: string | undefined, fallback: number): number {
  if (typed === undefined) return fallback;
  const limit = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  throw usageError(`--limit must be a number from 1 to ${MOST}, not "${typed}".`);
}
