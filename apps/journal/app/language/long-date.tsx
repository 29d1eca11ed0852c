import { formatLongDate } from './format-date.ts';

/** A point in time (epoch milliseconds), marked as the English that it is. */
export function LongDate({ time, className }: { time: number; className?: string }) {
  return (
    <time dateTime={new Date(time).toISOString()} lang="en" className={className}>
      {formatLongDate(time)}
    </time>
  );
}
