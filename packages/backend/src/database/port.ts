import type { Kysely, Transaction } from 'kysely';
import type { Change, Row } from '../core/bus.ts';
import type { Scalar } from '../core/filter.ts';
import type { Permission } from './permission.ts';
import type { Query } from './query/query.ts';
import type { Schema } from './schema.ts';
import type { StatementBatch, StatementResult } from './sql/statement-batch.ts';

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
  /** The text of a JSON object, without white space, of SQL expressions by their names. */
  jsonObject(members: readonly (readonly [name: string, expression: string])[]): string;
  /** The function in a FROM that answers each element of a JSON array (a text), as `value`. */
  readonly jsonElements: string;
  /** Behind a SELECT of a transaction that goes on to write these rows (of `t0`): nobody else changes them meanwhile. */
  readonly lockRows: string;
  /**
   * A condition that every row satisfies, and by which the engine bounds how many of them a statement looks at;
   * undefined where it needs none.
   */
  readonly boundRows: string | undefined;
}

/** Of a read that may be answered by a copy of the database, which is a little behind it. */
export interface ReadOptions {
  /** For a caller that nobody knows: there is no write of its own that it would miss. */
  anonymous?: boolean;
}

/** A project's tables on whichever engine holds them. Tables are typed by the service that owns them. */
export interface Database {
  /** Sees committed rows only, and never waits for a writer. */
  // biome-ignore lint/suspicious/noExplicitAny: each service narrows this to the tables that it owns
  readonly reader: Kysely<any>;
  /** One transaction at a time; use `writer.transaction()` for more than one statement. */
  // biome-ignore lint/suspicious/noExplicitAny: each service narrows this to the tables that it owns
  readonly writer: Kysely<any>;
  readonly engine: 'sqlite' | 'postgres';
  /**
   * A transaction of the writer for what changes the tables themselves: however long it waits for its turn, and however
   * long it takes, no time-out ends it. Of several processes that ask at once, each sees what those before it did.
   */
  exclusively<T>(act: (transaction: Transaction<unknown>) => Promise<T>): Promise<T>;
  /**
   * A transaction of the writer on tables that no kept answer is made of: whatever it writes, `version` stays, and so
   * does what is kept by it.
   */
  quietly<T>(act: (transaction: Transaction<unknown>) => Promise<T>): Promise<T>;
  readonly syntax: Syntax;
  /** The straight way to `reader` for SQL that is written already; an engine in this process may answer at once. */
  query(sql: string, parameters: readonly Scalar[], options?: ReadOptions): Row[] | Promise<Row[]>;
  /** The same, each row as an array in the order of its columns. */
  values(sql: string, parameters: readonly Scalar[], options?: ReadOptions): Scalar[][] | Promise<Scalar[][]>;
  /**
   * Carries out a write in one transaction, durable when it is answered. Throws what the plan's steps throw; CONFLICT
   * and VALIDATION_FAILED for what the tables themselves refuse, without a word of SQL.
   */
  write(plan: WritePlan): Promise<WriteOutcome>;
  /**
   * Carries out statements of a client in one transaction, durable when it is answered. Throws SQL_REFUSED,
   * VALIDATION_FAILED and CONFLICT with the engine's own words, for whoever sends SQL holds the secret key.
   */
  run(batch: StatementBatch): Promise<StatementResult>;
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
  /** Columns of the table of which no two rows hold the same values, whatever other columns hold: a list for each key. */
  uniqueKeys(table: string): Promise<string[][]>;
  /** What an error of this engine says about a write; undefined when it is about something else. */
  violation(error: unknown): Violation | undefined;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** What keeps the databases of all projects: files in a folder, or a server. */
export interface Engine {
  /** Opens a project's own database, which is made at the first time. */
  open(project: { id: string; schema: Schema }): Promise<Database>;
  /** Whether a project has a database already; none is made by asking. */
  has(projectId: string): Promise<boolean>;
  /** Once every database is closed. */
  close(): Promise<void>;
}

export interface WriteClock {
  /** Epoch ms. */
  now: number;
  /** Whether the server sets the stamps; the service role may set them itself. */
  serverStamps: boolean;
}

interface PlanOf<Kind> {
  kind: Kind;
  table: string;
  /** What the caller may do, with the caller's own values filled in. */
  permission: Permission;
  /** Whether nothing is written unless it is exactly one row. */
  single: boolean;
}

export interface CreatePlan extends PlanOf<'create'> {
  /** Validated rows, without the columns that the server fills in. */
  rows: readonly Row[];
  clock: WriteClock;
  /** Columns by whose values a row may exist already. */
  conflictTarget: readonly string[] | undefined;
  /** Whether such a row updates the existing one or is ignored. */
  onConflict: 'update' | 'ignore';
}

interface QueryPlan<Kind> extends PlanOf<Kind> {
  query: Query;
  /** Nothing is written if it would be more rows than this. */
  maxAffected: number | undefined;
}

export interface UpdatePlan extends QueryPlan<'update'> {
  changes: Row;
  clock: WriteClock;
}

export interface DeletePlan extends QueryPlan<'delete'> {
  /** Every cascade among the project's tables. */
  cascades: readonly Cascade[];
}

/** A write as plain data, which can be sent to the thread that runs it. */
export type WritePlan = CreatePlan | UpdatePlan | DeletePlan;

export interface WriteOutcome {
  /** The rows that were created, updated or deleted, or that existed already. */
  rows: Row[];
  /** How many of them are new. */
  created: number;
  /** Every row that was written, in order. */
  changes: Change[];
}
