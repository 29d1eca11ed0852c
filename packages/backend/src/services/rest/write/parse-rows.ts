import { AppError, forbidden } from '../../../core/errors.ts';
import { columnOf, type TableSchema } from '../../../database/schema.ts';
import { columnName } from '../../../database/write/validate-row.ts';

const MAX_ROWS_PER_REQUEST = 1_000;

/** A row as it was sent: its columns and values are not validated yet. */
export type SentRow = Readonly<Record<string, unknown>>;

/** Returns the rows of a body that holds one row or an array of them. Throws VALIDATION_FAILED. */
export function parseRows(body: unknown): SentRow[] {
  const rows = Array.isArray(body) ? body : [body];
  if (rows.length > MAX_ROWS_PER_REQUEST) {
    throw new AppError('VALIDATION_FAILED', `A request may bring ${MAX_ROWS_PER_REQUEST} rows at most.`);
  }
  return rows.map(parseRow);
}

/** Returns the row of a body. Throws VALIDATION_FAILED. */
export function parseRow(value: unknown): SentRow {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as SentRow;
  throw new AppError('VALIDATION_FAILED', 'A row must be a JSON object.');
}

/**
 * Returns the columns of a new row that the parameter `columns` names. As in PostgREST, a column that the row lacks
 * becomes null or its default, except for the id and the stamps, which the server fills in.
 */
export function pickColumns(
  table: TableSchema,
  row: SentRow,
  { columns, missingDefault }: { columns: readonly string[]; missingDefault: boolean },
): SentRow {
  const picked: Record<string, unknown> = {};
  for (const name of columns) {
    const rule = columnOf(table, name);
    if (Object.hasOwn(row, name)) picked[name] = row[name];
    else if (name === 'id' || rule.stamp) continue;
    else if (!missingDefault) picked[name] = null;
    else if (rule.default !== undefined || rule.nullable) picked[name] = rule.default ?? null;
  }
  return picked;
}

/** Throws FORBIDDEN when the row names a column that the caller may not update, UNKNOWN_COLUMN. */
export function requireUpdatable(table: TableSchema, updatable: ReadonlySet<string>, row: SentRow): void {
  for (const name of Object.keys(row)) if (!updatable.has(columnName(table, name))) throw forbidden();
}
