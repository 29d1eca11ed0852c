import { printable } from './printable.ts';

const NOTHING = '-';
const GAP = '  ';

/** Rows under their headings; a value that is not there is a dash. */
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
