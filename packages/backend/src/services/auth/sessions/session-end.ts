import { REFRESH_TOKEN_SECONDS } from '@fabrica/contract';
import type { SessionRow } from '../queries.ts';

/** Milliseconds after which a session ends whether it is used or not. */
const LONGEST_MS = 90 * 24 * 3_600_000;

/** Returns the time at which a session that begins now ends whether it is used or not. */
export const absoluteEnd = (now: number): number => now + LONGEST_MS;

/** Returns the time at which a session ends when it is not used again. All times are in epoch milliseconds. */
export function sessionEnd(now: number, session: Pick<SessionRow, 'ends_at'> | undefined): number {
  const unused = now + REFRESH_TOKEN_SECONDS * 1_000;
  return Math.min(unused, session?.ends_at ?? unused);
}
