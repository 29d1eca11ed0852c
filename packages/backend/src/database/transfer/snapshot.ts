import type { RanMigration } from '../migrate.ts';
import type { Value } from './canonical-row.ts';

/** A column that is not generated. */
interface ColumnShape {
  name: string;
  /** The engine's name of the type, in lower case. */
  type: string;
}

export interface TableShape {
  name: string;
  /** In the order of their names, which is the same on both engines. */
  columns: readonly ColumnShape[];
  /** The columns that rows are ordered by on both engines: the primary key, or all columns without one. */
  key: readonly string[];
}

/** The tables of a database, for reading. */
export interface Tables {
  /** In the order of their names, without the engine's own tables and the migrator's lock. */
  readonly tables: readonly TableShape[];
  /** Yields all rows in batches, in the order of the key; a row has its values in the order of the table's columns. */
  read(table: TableShape): AsyncIterable<Value[][]>;
}

/** The database of a project at one moment, which later writes do not change. */
export interface Snapshot extends Tables {
  readonly views: readonly string[];
  /** In the order in which they ran. */
  readonly ran: readonly RanMigration[];
  close(): Promise<void>;
}

/** A database whose tables are empty and to be filled. */
export interface Target extends Tables {
  readonly views: readonly string[];
  load(table: TableShape, batches: AsyncIterable<Value[][]>): Promise<void>;
  /** Completes the database after the last rows. Throws when rows refer to rows that do not exist. */
  finish(): Promise<void>;
}

/** Bytes of a batch, roughly. */
export const BATCH_BYTES = 4 * 1024 * 1024;
export const BATCH_ROWS = 2_000;

/** Returns the bytes that a row takes, roughly. */
export function rowBytes(row: readonly Value[]): number {
  let bytes = 0;
  for (const value of row) bytes += typeof value === 'string' ? value.length : valueBytes(value);
  return bytes;
}

function valueBytes(value: Exclude<Value, string>): number {
  return value instanceof Uint8Array ? value.byteLength : 8;
}

/** Quotes a name, for either engine. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function byName(left: { name: string }, right: { name: string }): number {
  return left.name < right.name ? -1 : Number(left.name > right.name);
}
