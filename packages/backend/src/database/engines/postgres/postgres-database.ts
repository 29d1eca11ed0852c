import { CompiledQuery, HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import type { QueryResult } from 'pg';
import { AppError } from '../../../core/errors.ts';
import type { Scalar } from '../../../core/filter.ts';
import type { Database, ReadOptions, Syntax } from '../../port.ts';
import type { Schema } from '../../schema.ts';
import { readCascades, readClientColumns, readColumns, readUniqueKeys } from './catalog.ts';
import type { Batches } from './client-sql/batches.ts';
import type { ProjectCommits } from './commits/project-commits.ts';
import type { Replica } from './commits/replica.ts';
import { CreateGroups } from './create-groups.ts';
import { createDialect } from './dialect.ts';
import {
  isUnavailable,
  postgresViolation,
  presentingErrors,
  presentPostgresError,
  sqlState,
} from './postgres-error.ts';
import type { Reads } from './reads.ts';
import { retryWhileLocked } from './retry-while-locked.ts';
import type { SqlQuery } from './sessions/session.ts';
import { StatementNames } from './sessions/statement-names.ts';
import { strictColumns } from './strict-columns.ts';
import type { TransactionKind, Transactions } from './transactions.ts';

export interface PostgresParts {
  schema: Schema;
  syntax: Syntax;
  commits: ProjectCommits;
  reads: Reads;
  transactions: Transactions;
  batches: Batches;
  replica: Replica | undefined;
  pools: Database['pools'];
  close(): Promise<void>;
}

const CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now';
const INVALID_CHARACTER = '22021';
const NO_ROWS: QueryResult = { command: 'SELECT', rowCount: 0, oid: 0, fields: [], rows: [] };

/** Creates the database of a project on a PostgreSQL server. */
export function createPostgresDatabase(parts: PostgresParts): Database {
  const { schema, syntax, commits, reads, transactions, batches, replica } = parts;
  const groups = new CreateGroups({ transactions, schema, syntax, names: new StatementNames() });
  // SQLite accepts `in ()`, which holds for no row.
  const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

  /** Returns the rows of a statement, which `fromPrimary` reads unless a replica does. */
  async function read<Rows>(
    query: SqlQuery,
    fromPrimary: () => Promise<Rows>,
    { anonymous = false }: ReadOptions,
  ): Promise<Rows> {
    try {
      return await (anonymous && replica ? readForStrangers(query, fromPrimary, replica) : fromPrimary());
    } catch (error) {
      throw postgresViolation(error) === 'check' ? outOfRange(error) : presentPostgresError(error);
    }
  }

  /** Reads from the replica while it has everything, and whatever it has while the primary does not respond. */
  async function readForStrangers<Rows>(
    query: SqlQuery,
    fromPrimary: () => Promise<Rows>,
    from: Replica,
  ): Promise<Rows> {
    const known = from.isPrimaryAway ? await from.queryWithoutPrimary(query) : await from.query(query);
    if (known) return known.rows as Rows;
    try {
      return await fromPrimary();
    } catch (error) {
      const found = isUnavailable(error) ? await from.queryWithoutPrimary(query) : undefined;
      if (!found) throw error;
      return found.rows as Rows;
    }
  }

  const readForService = async (query: SqlQuery): Promise<QueryResult> => {
    try {
      return await reads.queryForService(query);
    } catch (error) {
      // No text contains the character NUL, so that nothing matches it.
      if (sqlState(error) === INVALID_CHARACTER) return NO_ROWS;
      throw error;
    }
  };

  const reader = new Kysely<unknown>({
    dialect: createDialect({
      run: readForService,
      begin: () => reads.openSnapshot(),
    }),
    plugins: [emptyLists],
  });
  const writing = (kind: TransactionKind) =>
    new Kysely<unknown>({
      dialect: createDialect({
        // A single statement that writes is a transaction like any other.
        run: (query, options) =>
          options.writes
            ? transactions.runWithRetry(kind, (transaction) => transaction.query(query, options))
            : readForService(query),
        begin: () => transactions.open(kind),
      }),
      plugins: [strictColumns(), emptyLists],
    });
  const writer = writing('service');
  const exclusiveWriter = writing('exclusive');
  const quietWriter = writing('quiet');
  const readCatalog = (query: SqlQuery) => presentingErrors(reads.queryForService(query));

  let closing: Promise<void> | undefined;
  const close = async () => {
    // Creates that wait for a group have no connection yet, which the pool would wait for.
    await groups.settled();
    for (const kysely of [reader, writer, exclusiveWriter, quietWriter]) await kysely.destroy();
    await parts.close();
  };

  return {
    engine: 'postgres',
    reader,
    writer,
    syntax,
    exclusively: (act) => retryWhileLocked(() => exclusiveWriter.transaction().execute(act)),
    quietly: (act) => quietWriter.transaction().execute(act),
    query: (text, values, options = {}) =>
      read({ text, values }, async () => (await reads.query({ text, values })).rows, options),
    values(text, values, options = {}) {
      const query: SqlQuery = { text, values, rowMode: 'array' };
      const ask = () => (options.createdBySql ? batches.read(query) : reads.query(query));
      return read(query, async () => (await ask()).rows as unknown[] as Scalar[][], options);
    },
    write: (plan) => groups.write(plan),
    run: (batch) => batches.run(batch),
    version: () => commits.version(),
    foreignCommits: () => commits.foreignCommits(),
    space: undefined,
    columns(table, transaction) {
      const readWithin = ({ text, values = [] }: SqlQuery) =>
        transaction?.executeQuery(CompiledQuery.raw(text, [...values]));
      return readColumns((query) => readWithin(query) ?? readCatalog(query), table);
    },
    clientColumns: (table) => readClientColumns(readCatalog, table),
    cascades: (tables) => readCascades(readCatalog, tables),
    uniqueKeys: (table) => readUniqueKeys(readCatalog, table),
    violation: postgresViolation,
    isDamaged: () => false,
    onUncertainCommit: (listener) => commits.onUncertain(listener),
    async clockAhead() {
      const asked = Date.now();
      const [row] = (await presentingErrors(reads.query({ text: CLOCK }))).rows;
      return Math.round(row.now - (asked + Date.now()) / 2);
    },
    pools: parts.pools,
    replicaLag: async () => replica?.lag(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function outOfRange(cause: unknown): AppError {
  return new AppError('VALIDATION_FAILED', 'A value is asked for that no column could hold.', { cause });
}
