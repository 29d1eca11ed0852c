import { randomBytes } from 'node:crypto';
import { DAY_MS, startOfDay } from './days.ts';

const RADIX = 36;
const TIME_LENGTH = 9;
const DAY_LENGTH = 4;

/** Returns the beginning of the ids of events of this time (epoch ms). As texts, the ids sort by time. */
export function eventIdPrefix(time: number): string {
  return time.toString(RADIX).padStart(TIME_LENGTH, '0');
}

/** Returns the beginning of the ids of readers of this day. */
export function readerIdPrefix(day: string): string {
  return (startOfDay(day) / DAY_MS).toString(RADIX).padStart(DAY_LENGTH, '0');
}

/** Returns a function that makes ids of events, which no other process makes. */
export function createEventIds(): (time: number) => string {
  const process = randomBytes(6).toString('base64url');
  let count = 0;
  return (time) => {
    count += 1;
    return `${eventIdPrefix(time)}${process}${count.toString(RADIX)}`;
  };
}
