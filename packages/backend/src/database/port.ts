import type { Kysely, Transaction } from 'kysely';
import type { Change, Row } from '../core/bus.ts';
import type { Scalar } from '../core/filter.ts';
import type { Permission } from './permission.ts';
import type { Query, Statement } from './query/query.ts';
import type { Schema } from './schema.ts';
import type { StatementBatch, StatementResult } from './sql/statement-batch.ts';

/** The description of a column by the engine. */
export interface EngineColumn {
  name: string;
  /** `other` stands for every type that a project cannot define; a column that a view computes may have none. */
  type: 'text' | 'integer' | 'other' | 'none';
  nullable: boolean;
}

/** Deleting a row of `target` deletes the rows of `table` whose `column` holds its id. */
export interface Cascade {
  table: string;
  column: string;
  target: string;
}

/** The kind of constraint that a write has broken. */
export type Violation = 'unique' | 'foreign-key' | 'not-null' | 'check';

/** The parts of SQL that differ between the engines. */
export interface Syntax {
  /** Returns the placeholder of a parameter, counted from 1. */
  placeholder(position: number): string;
  /**
   * Returns the condition that `expression` matches a LIKE pattern (`%`, `_`, escape character `\`). `bind` takes the
   * pattern as the engine needs it, and returns its placeholder.
   */
  like(expression: string, pattern: string, bind: (value: string) => string): string;
  /** Like `like`, but ignores the case of letters of every alphabet. */
  ilike(expression: string, pattern: string, bind: (value: string) => string): string;
  /** Returns an expression for the text of a JSON object, without white space, whose values are SQL expressions. */
  jsonObject(members: readonly (readonly [name: string, expression: string])[]): string;
  /** A function for FROM that returns each element of a JSON array, given as text, in the column `value`. */
  readonly jsonElements: string;
  /** The end of a SELECT that locks the rows of `t0`, which its transaction is going to write. */
  readonly lockRows: string;
  /**
   * A condition that every row satisfies, and by which the engine limits the rows that a statement looks at; undefined
   * when the engine needs none.
   */
  readonly boundRows: string | undefined;
  /**
   * Returns the condition with a hint, where the engine needs one: it has the engine assume that most rows satisfy the condition,
   * so that it prefers the index of another one. The same rows satisfy it, even if the assumption is wrong.
   */
  mostly(condition: string): string;
  /** Tells whether a limit is written into the text of a statement, by which the engine plans it, and is no parameter. */
  isLiteralLimit(rows: number): boolean;
}

/** Options of a read. */
export interface ReadOptions {
  /**
   * Whether the caller is anonymous. A replica, which is a little behind, may serve it: there is no write of its own that it could
   * miss.
   */
  anonymous?: boolean;
  /** Whether a client's SQL has created the table: then it is read with the rights of such SQL. */
  createdBySql?: boolean;
}

/** The room that a database takes on the disk. */
export interface DatabaseSpace {
  /** Returns the bytes of the file, those of them that are free, and whether it gives free ones back to the disk. */
  read(): { bytes: number; free: number; givesBack: boolean };
  /** Rewrites the file without free pages. Writes wait meanwhile; it needs twice as much free disk space as the file has. */
  compact(): Promise<void>;
}

/** The connections of one purpose, and the callers that wait for one. */
export interface PoolState {
  name: 'read' | 'write' | 'batch' | 'replica';
  max: number;
  open: number;
  idle: number;
  waiting: number;
}

/** The tables of a project, on either engine. Each service types the tables that it owns. */
export interface Database {
  /** Reads committed rows, and never waits for a writer. */
  // biome-ignore lint/suspicious/noExplicitAny: each service narrows this to the tables that it owns
  readonly reader: Kysely<any>;
  /** Runs one transaction at a time; several statements need `writer.transaction()`. */
  // biome-ignore lint/suspicious/noExplicitAny: each service narrows this to the tables that it owns
  readonly writer: Kysely<any>;
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Runs a transaction of the writer that changes the tables themselves, without a timeout while it runs. Several processes
   * run such transactions one after the other. On PostgreSQL `act` runs again, in a new transaction, when it waits for a lock of others:
   * their requests would wait behind it.
   */
  exclusively<T>(act: (transaction: Transaction<unknown>) => Promise<T>): Promise<T>;
  /** Runs a transaction of the writer on tables that no cache depends on: its writes leave `version` as it is. */
  quietly<T>(act: (transaction: Transaction<unknown>) => Promise<T>): Promise<T>;
  readonly syntax: Syntax;
  /** Runs SQL as `reader` does, without Kysely. An engine within this process may return the rows at once. */
  query(sql: string, parameters: readonly Scalar[], options?: ReadOptions): Row[] | Promise<Row[]>;
  /** Like `query`, with each row as an array in the order of its columns. */
  values(sql: string, parameters: readonly Scalar[], options?: ReadOptions): Scalar[][] | Promise<Scalar[][]>;
  /**
   * Runs a plan in one transaction, which is durable when the promise is resolved. Throws the errors of `runPlan`;
   * CONFLICT and VALIDATION_FAILED for a broken constraint, without any SQL in the message.
   */
  write(plan: WritePlan): Promise<WriteOutcome>;
  /**
   * Runs a client's statements in one transaction, which is durable when the promise is resolved. Throws SQL_REFUSED,
   * VALIDATION_FAILED and CONFLICT with the engine's own messages: the caller has the secret key.
   */
  run(batch: StatementBatch): Promise<StatementResult>;
  /**
   * Returns a number that changes with every commit: as long as it is the same, every read returns the same. Commits of
   * this process count at once, those of other processes within 20 ms. Returns undefined when the engine cannot tell
   * as cheaply as by a function call.
   */
  version(): number | undefined;
  /**
   * Returns a number that grows with commits of other processes, within 20 ms and as cheaply as `version`. Caches that
   * follow the events of the bus, which has the writes of this process alone, are stale then.
   */
  foreignCommits(): number;
  /** Undefined where the engine looks after its space by itself. */
  space: DatabaseSpace | undefined;
  /** Returns the columns of a table or view, in order, as a transaction sees them; an empty array when it does not exist. */
  columns(table: string, transaction?: Transaction<unknown>): Promise<EngineColumn[]>;
  /** Like `columns`, for a table or view that a client's SQL has created; an empty array for any other. */
  clientColumns(table: string): Promise<EngineColumn[]>;
  /** Returns every `ON DELETE CASCADE` of these tables. */
  cascades(tables: readonly string[]): Promise<Cascade[]>;
  /** Returns the columns of each unconditional unique key of a table. */
  uniqueKeys(table: string): Promise<string[][]>;
  /** Returns the constraint that an error of this engine is about; undefined for any other error. */
  violation(error: unknown): Violation | undefined;
  /** Tells whether a statement has found the file of the database malformed since it was opened. A server looks after its own. */
  isDamaged(): boolean;
  /**
   * Calls the listener after a commit whose response was lost, so that nobody knows whether it is there, until the returned
   * function is called. Only a server can lose one.
   */
  onUncertainCommit(listener: () => void): () => void;
  /** Returns the milliseconds by which the server's clock is ahead of ours; undefined where the database is a file. */
  clockAhead(): Promise<number | undefined>;
  /** Returns the state of each pool of connections to a server; none where the database is a file. */
  pools(): readonly PoolState[];
  /** Returns the seconds that the read replica is behind; undefined when there is none, or none that responds. */
  replicaLag(): Promise<number | undefined>;
  /** Waits for the statements that are running, and closes all connections. */
  close(): Promise<void>;
}

/** The storage of the databases of all projects: a folder of files, or a server. */
export interface Engine {
  /** Opens the database of a project, and creates it the first time. */
  open(project: { id: string; schema: Schema }): Promise<Database>;
  /** Tells whether a project has a database, without creating it. */
  has(projectId: string): Promise<boolean>;
  /** Must be called after every database is closed. */
  close(): Promise<void>;
}

/** The values that the server stamps rows with. */
export interface WriteClock {
  /** Epoch ms. */
  now: number;
  /** The public name of the caller; undefined for the service role, which has none. */
  callerName?: string | undefined;
  /** Whether the server sets the stamps; the service role may set them itself. */
  serverStamps: boolean;
}

interface PlanOf<Kind> {
  kind: Kind;
  table: string;
  /** The permission of the caller, with the caller's own values filled in. */
  permission: Permission;
  /** Whether nothing is written unless it is exactly one row. */
  single: boolean;
  /** Bounds the bytes that an account writes in a day; the service role has no quota. */
  quota?: WriteQuota | undefined;
}

/** The bytes of rows that an account may write in a day. */
export interface WriteQuota {
  userId: string;
  /** Epoch ms of the time of the write. */
  now: number;
  bytes: number;
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

/** A write on one table. */
export type TablePlan = CreatePlan | UpdatePlan | DeletePlan;

/** Several plans that are carried out one after the other in one transaction: all of them, or none. */
export interface CombinedPlan {
  kind: 'all';
  plans: readonly TablePlan[];
  /** Bounds the bytes by which all of them let rows grow, new rows included. */
  quota?: WriteQuota | undefined;
  /** Statements on tables of the services, such as the audit log, which run after the plans. They are no changes that are published. */
  statements?: readonly Statement[] | undefined;
}

/** A write as plain data, which can be sent to the thread that runs it. */
export type WritePlan = TablePlan | CombinedPlan;

export interface WriteOutcome {
  /** The rows that were created, updated or deleted, or that existed already, in the order of the plans. */
  rows: Row[];
  /** Tells how many of them are new. */
  created: number;
  /** Every row that was written, in order. */
  changes: Change[];
}
