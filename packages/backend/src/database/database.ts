import type { Kysely } from 'kysely';
import type { Row } from '../bus.ts';
import type { Scalar } from '../filter.ts';

/** A column as the engine reports it. */
export interface EngineColumn {
  name: string;
  /** `other` is what no column rule of a project can ask for. */
  type: 'text' | 'integer' | 'other';
  nullable: boolean;
}

/** Rows of `table` go when the row of `target` goes whose id stands in their `column`. */
export interface Cascade {
  table: string;
  column: string;
  target: string;
}

/** Which promise of the tables a write would have broken. */
export type Violation = 'unique' | 'foreign-key' | 'not-null' | 'check';

/** How an engine writes what SQL dialects disagree about. */
export interface Syntax {
  /** The nth bound parameter, from 1. */
  placeholder(position: number): string;
  /**
   * `expression` matches a LIKE pattern (`%`, `_`, escape character `\`). `bind` takes the pattern, in the form that
   * the engine wants it, and answers its placeholder.
   */
  like(expression: string, pattern: string, bind: (value: string) => string): string;
  /** The same, upper and lower case (of every alphabet) being alike. */
  ilike(expression: string, pattern: string, bind: (value: string) => string): string;
}

/** A project's tables on whichever engine holds them. Tables are typed by the service that owns them. */
export interface Database {
  /** Sees committed rows only, and never waits for a writer. */
  // biome-ignore lint/suspicious/noExplicitAny: each service narrows this to the tables that it owns
  readonly reader: Kysely<any>;
  /** One writer at a time; use `writer.transaction()` for more than one statement. */
  // biome-ignore lint/suspicious/noExplicitAny: each service narrows this to the tables that it owns
  readonly writer: Kysely<any>;
  readonly syntax: Syntax;
  /** The straight way to `reader` for SQL that is written already; an engine in this process answers at once. */
  query(sql: string, parameters: readonly Scalar[]): Row[] | Promise<Row[]>;
  /**
   * A number that is another one after every commit: while it stays, every read answers what it answered before.
   * Commits of this process count at once, those of others may take 20 ms. Undefined where the engine cannot tell at
   * the price of a function call.
   */
  version(): number | undefined;
  /**
   * Grows with what other processes commit, which may take 20 ms to be noticed: what is kept by the events of the bus,
   * which carries the writes of this process alone, is stale then. As cheap as `version`.
   */
  foreignCommits(): number;
  /** Columns of a table or view, in order; empty when there is none of that name. */
  columns(table: string): Promise<EngineColumn[]>;
  /** Every `ON DELETE CASCADE` among `tables`. */
  cascades(tables: readonly string[]): Promise<Cascade[]>;
  /** What an error of this engine says about a write; undefined when it is about something else. */
  violation(error: unknown): Violation | undefined;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
