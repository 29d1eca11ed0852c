import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { TransactionalAdapter } from '../transactional-adapter.ts';
import type { BeginOptions, FileTransaction, FileWriter } from './file-writer.ts';

/**
 * Kysely on the writer's thread. A statement outside of a transaction is committed with others that wait; a
 * transaction has the file for itself from its first statement on, and its statements go over one by one.
 */
export function writerDialect(writer: FileWriter, options: Partial<BeginOptions> = {}): Dialect {
  const how = { patient: false, quiet: false, ...options };
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new WriterDriver(writer, how),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class WriterConnection implements DatabaseConnection {
  transaction: FileTransaction | undefined;
  readonly #writer: FileWriter;

  constructor(writer: FileWriter) {
    this.#writer = writer;
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = { sql, parameters, writes: !SelectQueryNode.is(query) };
    const { rows, changed } = await (this.transaction ?? this.#writer).statement(statement);
    if (!changed) return { rows: rows as Row[] };
    return { rows: [], numAffectedRows: BigInt(changed.rows), insertId: BigInt(changed.lastId) };
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('What the writer reads is not streamed.');
  }
}

class WriterDriver implements Driver {
  readonly #writer: FileWriter;
  readonly #how: BeginOptions;

  constructor(writer: FileWriter, how: BeginOptions) {
    this.#writer = writer;
    this.#how = how;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<WriterConnection> {
    return new WriterConnection(this.#writer);
  }

  async beginTransaction(connection: WriterConnection): Promise<void> {
    connection.transaction = this.#writer.begin(this.#how);
  }

  async commitTransaction(connection: WriterConnection): Promise<void> {
    await connection.transaction?.commit();
    connection.transaction = undefined;
  }

  async rollbackTransaction(connection: WriterConnection): Promise<void> {
    await connection.transaction?.rollback();
    connection.transaction = undefined;
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
