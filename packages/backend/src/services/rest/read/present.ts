import { writeCsv } from '@fabrica/contract';
import type { Row } from '../../../core/bus.ts';
import type { Query } from '../../../database/query/query.ts';
import { notSingle, requireSingle } from '../../../database/query/single-row.ts';
import type { PlainResponse } from '../../../http/compression.ts';
import { CSV_TYPE, type Preferences, SINGULAR_TYPE } from './preferences.ts';
import type { QueryPage } from './read-page.ts';

/** Returns the response of a read with Content-Range (`0-23/573`) and X-Next-Cursor. Throws NOT_ACCEPTABLE. */
export function presentPage(
  { list, size, total, nextCursor }: QueryPage,
  { columns, offset, isPublic }: Pick<Query, 'columns' | 'offset'> & { isPublic: boolean },
  preferences: Preferences,
): PlainResponse {
  const { singular, csv } = preferences;
  if (singular && size !== 1) throw notSingle(size);
  const body = csv ? toCsv(columns, JSON.parse(`[${list}]`)) : singular ? list : `[${list}]`;
  const headers = headersOf(preferences);
  // Caches between here and the reader keep none of a caller's own rows, and ask again for those of everybody.
  headers['cache-control'] = isPublic ? 'no-cache' : 'no-store';
  headers.vary = 'Authorization';
  headers['content-range'] = `${rangeOf(offset, size)}/${total ?? '*'}`;
  headers['content-type'] = typeOf(preferences);
  // The bytes of a text that was put together are counted in a copy: those of the list alone are counted in place.
  const bytes = csv || singular ? Buffer.byteLength(body) : Buffer.byteLength(list) + '[]'.length;
  headers['content-length'] = String(bytes);
  if (nextCursor !== undefined) headers['x-next-cursor'] = nextCursor;
  return { status: 200, headers, body };
}

/** The parts of the response to a write that depend on the method. */
export interface WriteResponseForm {
  /** The status with rows, and the one without. */
  full: 200 | 201;
  empty: 200 | 201 | 204;
  /** Whether Content-Range gives the range of the rows, as PostgREST does for an update. */
  ranged: boolean;
}

/** Returns the response of a write, with the selected columns of the rows if requested. Throws NOT_ACCEPTABLE. */
export function presentWritten(
  rows: readonly Row[],
  columns: readonly string[],
  { full, empty, ranged }: WriteResponseForm,
  preferences: Preferences,
): Response {
  const headers = headersOf(preferences);
  if (preferences.countExact) {
    headers['content-range'] = `${ranged ? rangeOf(0, rows.length) : '*'}/${rows.length}`;
  }
  if (!preferences.representation) return new Response(null, { status: empty, headers });
  headers['content-type'] = typeOf(preferences);
  return new Response(bodyOf(rows, columns, preferences), { status: full, headers });
}

function bodyOf(rows: readonly Row[], columns: readonly string[], { singular, csv }: Preferences): string {
  if (csv) return toCsv(columns, rows);
  const selected = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
  );
  return JSON.stringify(singular ? requireSingle(selected) : selected);
}

function headersOf({ applied }: Preferences): Record<string, string> {
  return applied === '' ? {} : { 'preference-applied': applied };
}

function rangeOf(offset: number, size: number): string {
  return size > 0 ? `${offset}-${offset + size - 1}` : '*';
}

function typeOf({ singular, csv }: Preferences): string {
  return `${csv ? CSV_TYPE : singular ? SINGULAR_TYPE : 'application/json'}; charset=utf-8`;
}

/** Writes rows as spreadsheets read them: a line of names, a line for each row, and nothing for null. */
function toCsv(columns: readonly string[], rows: readonly Row[]): string {
  return writeCsv(
    columns,
    rows.map((row) => columns.map((column) => row[column] ?? null)),
  );
}
