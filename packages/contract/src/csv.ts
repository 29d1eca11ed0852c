/** Spreadsheets recognize UTF-8 by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Spreadsheets take these texts for a formula (OWASP, "CSV Injection"), also in the full-width forms of East Asia. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

type Cell = string | number | boolean | null;

/**
 * Returns a table as CSV (RFC 4180). An apostrophe keeps spreadsheets from running a text as a formula. An empty text is
 * quoted, since an empty cell is null.
 */
export function writeCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `${BYTE_ORDER_MARK}${[header, ...rows].map(writeLine).join('')}`;
}

function writeLine(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
