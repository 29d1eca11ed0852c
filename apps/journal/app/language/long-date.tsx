const LONG_US = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats epoch milliseconds as "November 21, 2026": always in US English (docs/spec/product.md section 2) and UTC. */
export function formatLongDate(time: number): string {
  return LONG_US.format(time);
}

/** Shows a date (epoch milliseconds), marked as English text on pages of any language. */
export function LongDate({ time, className }: { time: number; className?: string }) {
  return (
    <time dateTime={new Date(time).toISOString()} lang="en" className={className}>
      {formatLongDate(time)}
    </time>
  );
}
