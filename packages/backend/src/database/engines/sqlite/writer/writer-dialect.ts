import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { FileTransaction, FileWriter } from './file-writer.ts';
import type { BeginOptions } from './writer-tasks.ts';

/**
 * Returns Kysely's dialect on the writer's thread. A statement outside of a transaction is committed together with
 * others that wait; a transaction locks the file from its first statement on, and sends its statements one by one.
 */
export function writerDialect(writer: FileWriter, options: Partial<BeginOptions> = {}): Dialect {
  const beginOptions = { exclusive: false, quiet: false, ...options };
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new WriterDriver(writer, beginOptions),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** DDL is transactional in SQLite, although Kysely assumes otherwise: a migration that fails leaves nothing behind. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
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
  readonly #beginOptions: BeginOptions;

  constructor(writer: FileWriter, beginOptions: BeginOptions) {
    this.#writer = writer;
    this.#beginOptions = beginOptions;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<WriterConnection> {
    return new WriterConnection(this.#writer);
  }

  async beginTransaction(connection: WriterConnection): Promise<void> {
    connection.transaction = this.#writer.begin(this.#beginOptions);
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
