import { compareMessageIds, type MessageId } from '@fabrica/contract';

export { compareMessageIds };

export function millisecondsOf(id: MessageId): number {
  return Number(id.split('-')[0]);
}

/** The id of what is said now: greater than `last`, also when the clock has gone back. */
export function nextMessageId(last: MessageId, now: number): MessageId {
  const [ms = 0, seq = 0] = last.split('-').map(Number);
  return now > ms ? `${now}-0` : `${ms}-${seq + 1}`;
}
