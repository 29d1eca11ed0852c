import { type DayRange, startOf } from './day-range.ts';

/** Examples in English: "October 24 – November 22, 2026", "Oct 24 – Nov 22, 2026" and, for an axis, "Oct 24 – Nov 22". */
type RangeStyle = 'long' | 'medium' | 'short';

const STYLES: Record<RangeStyle, Intl.DateTimeFormatOptions> = {
  long: { dateStyle: 'long' },
  medium: { dateStyle: 'medium' },
  short: { day: 'numeric', month: 'short' },
};

/** Formats a range in a language. A range of one day is formatted as a single day. */
export function formatRange({ from, to }: DayRange, style: RangeStyle, language: string): string {
  const format = new Intl.DateTimeFormat(language, { ...STYLES[style], timeZone: 'UTC' });
  return format.formatRange(startOf(from), startOf(to));
}
