import type { Language } from '../../project/languages.ts';
import { isoTime, validTime } from '../../project/time.ts';

const LONG_US = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const DAY_MS = 86_400_000;
/** The dates of days, by their number: to format one takes 10 µs. */
const longDates = new Map<number, string>();
const MAX_DATES = 1_000;

/** Formats epoch milliseconds as "November 21, 2026": always in US English (docs/spec/product.md section 2) and UTC. */
export function formatLongDate(time: number): string {
  const day = Math.floor(time / DAY_MS);
  const date = longDates.get(day) ?? LONG_US.format(validTime(time));
  if (longDates.size >= MAX_DATES) longDates.clear();
  longDates.set(day, date);
  return date;
}

/** Shows a date (epoch milliseconds), marked as English text on pages of any language. */
export function LongDate({ time, className }: { time: number; className?: string }) {
  return (
    <time dateTime={isoTime(time)} lang="en" className={className}>
      {formatLongDate(time)}
    </time>
  );
}

/** Formats epoch milliseconds as "21. November 2026" in a language, in UTC. */
export function formatDay(time: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(validTime(time));
}
