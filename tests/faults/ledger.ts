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
export interface ReceivedMessage {
  id: string;
  at: number;
}

/** Holds what a listener knows: the messages that it received, and when it was asked to fetch anew. */
export interface ListenerLog {
  received: readonly ReceivedMessage[];
  resyncs: readonly number[];
}

/** A write that was acknowledged: its client got a success. */
export interface Acknowledged extends Attempt {
  id: string;
}

/** Returns the writes that a listener neither received nor fetched because of a resync that came after them. */
export function missedBy(
  { received, resyncs }: ListenerLog,
  acknowledged: readonly Acknowledged[],
): Acknowledged[] {
  const ids = new Set(received.map(({ id }) => id));
  const lastResync = Math.max(0, ...resyncs);
  return acknowledged.filter(({ id, began }) => !ids.has(id) && began > lastResync);
}

/** Returns how many messages came more than once to a listener. */
export function receivedTwice({ received }: ListenerLog): number {
  return received.length - new Set(received.map(({ id }) => id)).size;
}
