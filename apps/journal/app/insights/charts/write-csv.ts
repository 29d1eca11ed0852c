export type Cell = string | number;

/** Spreadsheets recognize UTF-8 by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Spreadsheets take these texts for a formula (OWASP, "CSV Injection"), also in the full-width forms of East Asia. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Returns a table as CSV (RFC 4180). An apostrophe keeps spreadsheets from running a text as a formula. */
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
