import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Change, Row } from '../../../../core/bus.ts';
import { toChange } from '../../../recorded-tables.ts';
import { MOST_CHANGED_BYTES, MOST_CHANGES } from '../../../sql/statement-batch.ts';
import { tooManyChanges } from '../../../sql/statement-error.ts';
import { presentValue, weightOf } from '../sql-value.ts';

/** What the triggers call. */
export const RECORD_FUNCTION = 'fabrica_record';

/** Names of ours begin with this. */
export const RESERVED_PREFIX = 'fabrica_';

const OPERATIONS = [
  ['INSERT', false, true],
  ['UPDATE', true, true],
  ['DELETE', true, false],
] as const;

interface RecordedTable {
  name: string;
  columns: readonly string[];
}

/**
 * Notes from now on, in order, what this connection changes in these tables, whatever makes it change: triggers that
 * nobody else sees hand each row to a function of ours. Nothing is ever taken back: who fails, fails with the batch.
 */
export function recordChanges(connection: DatabaseSync, tables: readonly string[]): Change[] {
  const changes: Change[] = [];
  const recorded = tables
    .map((name) => describeTable(connection, name))
    .filter(({ columns }) => columns.length > 0);
  let bytes = 0;
  connection.function(RECORD_FUNCTION, { varargs: true, useBigIntArguments: true }, (...given) => {
    const [place, hadRow, hasRow, ...values] = (given as SQLOutputValue[]).map(presentValue);
    const table = recorded[Number(place)];
    if (!table) return null;
    const rowOf = (part: typeof values): Row =>
      Object.fromEntries(table.columns.map((name, at) => [name, part[at] ?? null]));
    const before = hadRow ? rowOf(values) : null;
    const after = hasRow ? rowOf(values.slice(hadRow ? table.columns.length : 0)) : null;
    const change = toChange({ table: table.name, before, after });
    if (!change) return null;
    for (const value of values) bytes += weightOf(value);
    if (changes.length >= MOST_CHANGES || bytes > MOST_CHANGED_BYTES) throw tooManyChanges();
    changes.push(change);
    return null;
  });
  for (const [place, table] of recorded.entries()) {
    for (const operation of OPERATIONS) connection.exec(triggerOf(table, place, operation));
  }
  return changes;
}

function describeTable(connection: DatabaseSync, name: string): RecordedTable {
  const columns = connection.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(name);
  return { name, columns: columns.map((column) => String(column.name)) };
}

function triggerOf(
  { name, columns }: RecordedTable,
  place: number,
  [operation, hadRow, hasRow]: (typeof OPERATIONS)[number],
): string {
  const values = [
    ...(hadRow ? columns.map((column) => `OLD.${quoted(column)}`) : []),
    ...(hasRow ? columns.map((column) => `NEW.${quoted(column)}`) : []),
  ];
  const call = `${RECORD_FUNCTION}(${[place, Number(hadRow), Number(hasRow), ...values].join(', ')})`;
  return `CREATE TEMP TRIGGER ${RESERVED_PREFIX}${place}_${operation} AFTER ${operation} ON main.${quoted(name)}
    BEGIN SELECT ${call}; END`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
