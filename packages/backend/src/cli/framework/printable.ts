/** Control characters move a terminal's cursor, and some letters turn the direction of what stands behind them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** What somebody else wrote, safe to be shown on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD');
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}
