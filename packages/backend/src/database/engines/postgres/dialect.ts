import {
  type ColumnMetadata,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
  type SchemaMetadata,
  sql,
  type TableMetadata,
  type TransactionSettings,
} from 'kysely';
import type { QueryResult as PgResult } from 'pg';
import { presentingErrors } from './postgres-error.ts';
import type { SqlQuery } from './sessions/session.ts';

/** A transaction as the driver needs it. */
export interface DialectTransaction {
  query(query: SqlQuery, options: { writes: boolean }): Promise<PgResult>;
  commit(): Promise<void>;
  /** Does nothing when the transaction is over. */
  rollBack(): Promise<void>;
}

/** The operations that Kysely runs on. */
interface DialectOptions {
  /** Runs a statement outside of a transaction. */
  run(query: SqlQuery, options: { writes: boolean }): Promise<PgResult>;
  begin(settings: TransactionSettings): Promise<DialectTransaction>;
}

/** Returns Kysely's dialect on these operations. Its errors are those of `presentPostgresError`. */
export function createDialect(options: DialectOptions): Dialect {
  return {
    createAdapter: () => new ProjectAdapter(),
    createDriver: () => new ProjectDriver(options),
    createIntrospector: (database) => new ProjectIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Migrations need no lock of their own: they run in an exclusive transaction. */
class ProjectAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class ProjectDriver implements Driver {
  readonly #options: DialectOptions;

  constructor(options: DialectOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  /** The object holds no connection: a statement or a transaction acquires one. */
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
    this.#transaction = await presentingErrors(this.#options.begin(settings));
  }

  async commit(): Promise<void> {
    if (!this.#transaction) throw new Error('There is no transaction to be committed.');
    await presentingErrors(this.#transaction.commit());
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
    const { command, rowCount, rows } = await presentingErrors(running);
    const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command);
    return changes ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  // biome-ignore lint/correctness/useYield: rows are read all at once
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed: ask for some at a time.');
  }
}

interface FoundColumn {
  schema: string;
  table: string;
  kind: string;
  name: string;
  type: string;
  type_schema: string;
  required: boolean;
  has_default: boolean;
  identity: boolean;
  comment: string | null;
}

/** Lists the tables of a project's own schema; Kysely's introspector lists those of the whole database. */
class ProjectIntrospector implements DatabaseIntrospector {
  readonly #database: Kysely<unknown>;

  constructor(database: Kysely<unknown>) {
    this.#database = database;
  }

  async getSchemas(): Promise<SchemaMetadata[]> {
    const { rows } = await sql<SchemaMetadata>`SELECT current_schema()::text AS name`.execute(this.#database);
    return rows;
  }

  async getTables({ withInternalKyselyTables = false } = {}): Promise<TableMetadata[]> {
    const { rows } = await sql<FoundColumn>`
      SELECT current_schema()::text AS schema, relname AS table, relkind AS kind, attname AS name,
        typname AS type, type.typnamespace::regnamespace::text AS type_schema, attnotnull AS required,
        atthasdef AS has_default, attidentity <> '' AS identity, col_description(attrelid, attnum) AS comment
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_type AS type ON type.oid = atttypid
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p', 'v', 'f')
        AND attnum > 0 AND NOT attisdropped
      ORDER BY relname, attnum`.execute(this.#database);
    const tables = new Map<string, TableMetadata & { columns: ColumnMetadata[] }>();
    for (const { schema, table: name, kind, ...column } of rows) {
      if (!withInternalKyselyTables && name.startsWith('kysely_migration')) continue;
      const table = tables.get(name) ?? {
        name,
        schema,
        isView: kind === 'v',
        isForeign: kind === 'f',
        columns: [],
      };
      tables.set(name, table);
      table.columns.push({
        name: column.name,
        dataType: column.type,
        dataTypeSchema: column.type_schema,
        isNullable: !column.required,
        hasDefaultValue: column.has_default,
        isAutoIncrementing: column.identity,
        ...(column.comment !== null && { comment: column.comment }),
      });
    }
    return [...tables.values()];
  }
}
