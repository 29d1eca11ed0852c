const LONG_US = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Epoch milliseconds as "November 21, 2026": always long US English (docs/spec/product.md section 2), in UTC. */
export function formatLongDate(time: number): string {
  return LONG_US.format(time);
}
