const NOTHING = '-';
const GAP = '  ';

/** Returns rows under their headings; a missing value is shown as a dash. */
export function presentTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [headings, ...rows.map((row) => row.map((value) => printable(`${value ?? ''}`) || NOTHING))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => lengthOf(row[column]))));
  const presentRow = (row: readonly string[]) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell))).join(GAP);
  return cells.map((row) => presentRow(row).trimEnd()).join('\n');
}

function lengthOf(cell = ''): number {
  return [...cell].length;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns a number of bytes as `12 bytes` or `1.4 MB`. */
export function presentSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // A size that would be rounded to a thousand is shown in the next unit.
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : Math.round(size * 10) / 10} ${UNITS[unit]}`;
}

/** Formats a time for people: `2026-11-21 15:03:08Z`. */
export function presentTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString().replace('T', ' ').replace(/\.\d+/, '');
}

/** Formats a time for programs: ISO 8601. */
export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

/**
 * Control characters move a terminal's cursor, and some characters change the direction of the text after
 * them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Makes text from users safe to print on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD');
}

/** Makes text from users safe to print on several lines. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}

/** Returns a sentence that lists damaged files by their paths. */
export function presentDamaged(paths: readonly string[]): string {
  const lines = paths.map((path) => `  ${printable(path)}`).join('\n');
  return `The originals of these files are missing or damaged where they were copied from:\n${lines}`;
}
