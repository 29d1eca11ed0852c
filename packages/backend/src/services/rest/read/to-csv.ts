import type { Row } from '../../../core/bus.ts';
import type { Scalar } from '../../../core/filter.ts';

/** Rows as PostgREST writes them: a line of names, then a line a row, RFC 4180's quotes, and nothing for null. */
export function toCsv(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => field(row[column] ?? null)));
  return [columns.map(field), ...lines].map((fields) => fields.join(',')).join('\n');
}

/** An empty text stands in quotes, since nothing at all is null. */
function field(value: Scalar): string {
  if (value === null) return '';
  const text = String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
