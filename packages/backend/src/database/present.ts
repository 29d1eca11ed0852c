import type { Row } from '../bus.ts';
import { ServiceError } from '../http/errors.ts';
import { type Preferences, SINGULAR_TYPE } from './preferences.ts';
import type { Page } from './read-page.ts';

/** Throws NOT_ACCEPTABLE unless there is exactly one row. */
export function requireSingle(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row && rows.length === 1) return row;
  throw notSingle(rows.length);
}

/** A page of a list with its Content-Range (`0-23/573`) and X-Next-Cursor. Throws NOT_ACCEPTABLE. */
export function presentPage(
  { json, size, total, nextCursor }: Page,
  offset: number,
  { singular }: Preferences,
): Response {
  const range = size > 0 ? `${offset}-${offset + size - 1}` : '*';
  const headers: Record<string, string> = {
    'content-type': typeOf(singular),
    'content-range': `${range}/${total ?? '*'}`,
  };
  if (nextCursor !== undefined) headers['x-next-cursor'] = nextCursor;
  if (singular && size !== 1) throw notSingle(size);
  return new Response(singular ? json.slice(1, -1) : json, { headers });
}

/**
 * The answer to a write: the rows, if they were asked for, of the columns that were selected; otherwise `empty` as
 * the status and no body.
 */
export function presentWritten(
  rows: readonly Row[],
  columns: readonly string[],
  { full, empty }: { full: 200 | 201; empty: 200 | 201 | 204 },
  preferences: Preferences,
): Response {
  const headers: Record<string, string> = preferences.countExact
    ? { 'content-range': `*/${rows.length}` }
    : {};
  if (!preferences.representation) return new Response(null, { status: empty, headers });
  const selected = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
  );
  const { singular } = preferences;
  headers['content-type'] = typeOf(singular);
  return new Response(JSON.stringify(singular ? requireSingle(selected) : selected), {
    status: full,
    headers,
  });
}

function typeOf(singular: boolean): string {
  return `${singular ? SINGULAR_TYPE : 'application/json'}; charset=utf-8`;
}

function notSingle(size: number): ServiceError {
  return new ServiceError(
    'NOT_ACCEPTABLE',
    `One row was asked for, and there are ${size === 0 ? 'none' : 'several'}.`,
  );
}
