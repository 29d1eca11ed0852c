/** An action that a client has tried, with the times (epoch ms) of its beginning and its end. */
export interface Attempt {
  began: number;
  ended: number;
  /** The HTTP status; 0 when the connection broke. */
  status: number;
  /** The beginning of a response that is a failure, or why there is none. */
  reason?: string | undefined;
}

export interface Counts {
  ok: number;
  /** Failures by status, such as `503: 4`; empty when there were none. */
  failed: Readonly<Record<string, number>>;
  /** Milliseconds of the longest time without a success. */
  longestGap: number;
}

/** Counts what clients of one kind have seen. */
export function countAttempts(attempts: readonly Attempt[]): Counts {
  const failed: Record<string, number> = {};
  let ok = 0;
  let [last, longestGap] = [attempts[0]?.began ?? 0, 0];
  for (const { status, ended } of attempts.toSorted((left, right) => left.ended - right.ended)) {
    if (status < 200 || status >= 300) {
      failed[status] = (failed[status] ?? 0) + 1;
      continue;
    }
    ok += 1;
    longestGap = Math.max(longestGap, ended - last);
    last = ended;
  }
  return { ok, failed, longestGap };
}

/** The message of a change, as a listener got it. */
export interface Heard {
  id: string;
  at: number;
}

/** Holds what a listener knows: the rows that it heard of, and when it was told to fetch anew. */
export interface ListenerLog {
  heard: readonly Heard[];
  resyncs: readonly number[];
}

/** A write that a client was told had succeeded. */
export interface Acknowledged extends Attempt {
  id: string;
}

/** Returns the writes that a listener neither heard of nor fetched because of a resync that came after them. */
export function missedBy(
  { heard, resyncs }: ListenerLog,
  acknowledged: readonly Acknowledged[],
): Acknowledged[] {
  const ids = new Set(heard.map(({ id }) => id));
  const lastResync = Math.max(0, ...resyncs);
  return acknowledged.filter(({ id, began }) => !ids.has(id) && began > lastResync);
}

/** Returns how many messages came more than once to a listener. */
export function heardTwice({ heard }: ListenerLog): number {
  return heard.length - new Set(heard.map(({ id }) => id)).size;
}
