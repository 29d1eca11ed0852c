import type { RanMigration } from '../migrate.ts';
import type { Value } from './canonical-row.ts';

/** A column that holds what it was given: generated ones are not among them. */
export interface ColumnShape {
  name: string;
  /** The engine's own name of its type, in lower case. */
  type: string;
}

export interface TableShape {
  name: string;
  /** In the order of their names, which is alike on both engines. */
  columns: readonly ColumnShape[];
  /** Columns that rows are put in order by, so that both engines read them alike: the primary key, if there is one. */
  key: readonly string[];
}

/** What can be read of a database's tables. */
export interface Tables {
  /** In the order of their names; the engine's own are not among them, and neither is the migrator's lock. */
  readonly tables: readonly TableShape[];
  /** All rows, some at a time, by key; a row has its values in the order of the table's columns. */
  read(table: TableShape): AsyncIterable<Value[][]>;
}

/** A project's database as it was at one moment, whoever writes to it meanwhile. */
export interface Snapshot extends Tables {
  readonly views: readonly string[];
  /** In the order in which they ran. */
  readonly ran: readonly RanMigration[];
  close(): Promise<void>;
}

/** A database that is being filled: its tables are made, and hold nothing. */
export interface Target extends Tables {
  readonly views: readonly string[];
  load(table: TableShape, batches: AsyncIterable<Value[][]>): Promise<void>;
  /** Nothing more comes. Throws a sentence when rows refer to rows that are not there. */
  finish(): Promise<void>;
}

/** Bytes that rows read at once may take, roughly. */
export const BATCH_BYTES = 4 * 1024 * 1024;
export const BATCH_ROWS = 2_000;

/** How much of a batch a row takes, roughly. */
export function weightOf(row: readonly Value[]): number {
  let bytes = 0;
  for (const value of row) bytes += typeof value === 'string' ? value.length : blobLength(value);
  return bytes;
}

function blobLength(value: Exclude<Value, string>): number {
  return value instanceof Uint8Array ? value.byteLength : 8;
}

/** A name as both engines write it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function byName(left: { name: string }, right: { name: string }): number {
  return left.name < right.name ? -1 : Number(left.name > right.name);
}
