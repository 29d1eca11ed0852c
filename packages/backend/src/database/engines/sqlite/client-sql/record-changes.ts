import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Change, Row } from '../../../../core/bus.ts';
import { changeUnlessSame } from '../../../changes.ts';
import { MAX_CHANGED_BYTES, MAX_CHANGES, sizeOf } from '../../../sql/statement-batch.ts';
import { RESERVED_PREFIX, tooManyChanges } from '../../../sql/statement-error.ts';
import { presentValue } from './sql-value.ts';

/** The function that the triggers call. */
export const RECORD_FUNCTION = 'fabrica_record';

/** The operations, and whether each has an old row and a new one. */
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
 * Starts recording the changes of these tables on this connection, and returns the array that they are added to, in
 * order. Temporary triggers, which other connections do not see, pass each row to a function of ours. A change is
 * never removed from the array: a statement that fails fails the whole batch.
 */
export function recordChanges(connection: DatabaseSync, tables: readonly string[]): Change[] {
  const changes: Change[] = [];
  const recorded = tables
    .map((name) => describeTable(connection, name))
    .filter(({ columns }) => columns.length > 0);
  let bytes = 0;
  connection.function(RECORD_FUNCTION, { varargs: true, useBigIntArguments: true }, (...args) => {
    const [index, hasOld, hasNew, ...values] = (args as SQLOutputValue[]).map(presentValue);
    const table = recorded[Number(index)];
    if (!table) return null;
    const rowOf = (part: typeof values): Row =>
      Object.fromEntries(table.columns.map((name, column) => [name, part[column] ?? null]));
    const before = hasOld ? rowOf(values) : null;
    const after = hasNew ? rowOf(values.slice(hasOld ? table.columns.length : 0)) : null;
    const change = changeUnlessSame(table.name, before, after);
    if (!change) return null;
    for (const value of values) bytes += sizeOf(value);
    if (changes.length >= MAX_CHANGES || bytes > MAX_CHANGED_BYTES) throw tooManyChanges();
    changes.push(change);
    return null;
  });
  for (const [index, table] of recorded.entries()) {
    for (const operation of OPERATIONS) connection.exec(triggerOf(table, index, operation));
  }
  return changes;
}

function describeTable(connection: DatabaseSync, name: string): RecordedTable {
  const columns = connection.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(name);
  return { name, columns: columns.map((column) => String(column.name)) };
}

function triggerOf(
  { name, columns }: RecordedTable,
  index: number,
  [operation, hasOld, hasNew]: (typeof OPERATIONS)[number],
): string {
  const values = [
    ...(hasOld ? columns.map((column) => `OLD.${quoted(column)}`) : []),
    ...(hasNew ? columns.map((column) => `NEW.${quoted(column)}`) : []),
  ];
  const call = `${RECORD_FUNCTION}(${[index, Number(hasOld), Number(hasNew), ...values].join(', ')})`;
  return `CREATE TEMP TRIGGER ${RESERVED_PREFIX}${index}_${operation} AFTER ${operation} ON main.${quoted(name)}
    BEGIN SELECT ${call}; END`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
