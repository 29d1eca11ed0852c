import { randomBytes } from 'node:crypto';
import { DAY_MS, startOf } from './days.ts';

const RADIX = 36;
const TIME_LENGTH = 9;
const DAY_LENGTH = 4;

/** What the key of an event of this time (epoch ms) begins with; as texts they sort by time. */
export function eventPrefix(time: number): string {
  return time.toString(RADIX).padStart(TIME_LENGTH, '0');
}

/** What the keys of readers begin with who came on this day. */
export function readerPrefix(day: string): string {
  return (startOf(day) / DAY_MS).toString(RADIX).padStart(DAY_LENGTH, '0');
}

/** Makes keys of events, which no other process makes. */
export function createEventKeys(): (time: number) => string {
  const process = randomBytes(6).toString('base64url');
  let count = 0;
  return (time) => {
    count += 1;
    return `${eventPrefix(time)}${process}${count.toString(RADIX)}`;
  };
}
