import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { QueryResult as PgResult } from 'pg';
import { ProjectIntrospector } from './introspector.ts';
import { known } from './postgres-error.ts';
import type { SqlQuery } from './sessions/session.ts';

/** A transaction as Kysely's driver needs it. */
export interface DialectTransaction {
  query(query: SqlQuery, options: { writes: boolean }): Promise<PgResult>;
  commit(): Promise<void>;
  /** Does nothing when it is over. */
  rollBack(): Promise<void>;
}

/** What stands behind one of a project's two Kysely objects. */
export interface DialectOptions {
  /** A statement by itself. */
  run(query: SqlQuery, options: { writes: boolean }): Promise<PgResult>;
  begin(settings: TransactionSettings): Promise<DialectTransaction>;
}

/** PostgreSQL as services use it, its errors being theirs. */
export function createDialect(options: DialectOptions): Dialect {
  return {
    createAdapter: () => new TurnTakingAdapter(),
    createDriver: () => new ProjectDriver(options),
    createIntrospector: (database) => new ProjectIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Transactions of the writer are alone in their project as it is: migrations need no lock besides. */
class TurnTakingAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class ProjectDriver implements Driver {
  readonly #options: DialectOptions;

  constructor(options: DialectOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  /** A connection is taken once a statement or a transaction needs it. */
  async acquireConnection(): Promise<ProjectConnection> {
    return new ProjectConnection(this.#options);
  }

  beginTransaction(connection: ProjectConnection, settings: TransactionSettings): Promise<void> {
    return connection.begin(settings);
  }

  commitTransaction(connection: ProjectConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: ProjectConnection): Promise<void> {
    return connection.rollBack();
  }

  releaseConnection(connection: ProjectConnection): Promise<void> {
    return connection.rollBack();
  }

  async destroy(): Promise<void> {}
}

class ProjectConnection implements DatabaseConnection {
  readonly #options: DialectOptions;
  #transaction: DialectTransaction | undefined;

  constructor(options: DialectOptions) {
    this.#options = options;
  }

  async begin(settings: TransactionSettings): Promise<void> {
    this.#transaction = await known(this.#options.begin(settings));
  }

  async commit(): Promise<void> {
    if (!this.#transaction) throw new Error('There is no transaction to be committed.');
    await known(this.#transaction.commit());
    this.#transaction = undefined;
  }

  async rollBack(): Promise<void> {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    await transaction?.rollBack();
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = { text: sql, values: parameters };
    const writes = query.kind !== 'SelectQueryNode';
    const running = this.#transaction
      ? this.#transaction.query(statement, { writes })
      : this.#options.run(statement, { writes });
    const { command, rowCount, rows } = await known(running);
    const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command);
    return changes ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  // biome-ignore lint/correctness/useYield: rows are read all at once
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed: ask for some at a time.');
  }
}
