export type Cell = string | number;

/** What spreadsheets know a file in UTF-8 by. */
const BYTE_ORDER_MARK = '\uFEFF';
/** What spreadsheets take for a formula (OWASP, "CSV Injection"), also in the wide letters of East Asia. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A table as CSV (RFC 4180), its texts made harmless to spreadsheets by an apostrophe. */
export function writeCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `${BYTE_ORDER_MARK}${[header, ...rows].map(writeLine).join('')}`;
}

function writeLine(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
