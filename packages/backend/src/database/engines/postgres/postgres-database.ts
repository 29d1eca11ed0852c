import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import type { QueryResult } from 'pg';
import { AppError } from '../../../core/errors.ts';
import type { Scalar } from '../../../core/filter.ts';
import type { Database, ReadOptions, Syntax } from '../../port.ts';
import type { Schema } from '../../schema.ts';
import { cascadesOf, describe, uniqueKeysOf } from './catalog.ts';
import type { Batches } from './client-sql/batches.ts';
import type { ProjectCommits } from './commits/commits.ts';
import type { Replica } from './commits/replica.ts';
import { createDialect } from './dialect.ts';
import { codeOf, known, toServiceError, violationOf } from './postgres-error.ts';
import type { Reads } from './reads.ts';
import type { SqlQuery } from './sessions/session.ts';
import { strictColumns } from './strict-columns.ts';
import type { TransactionKind, Transactions } from './transactions.ts';
import { write } from './writes.ts';

export interface PostgresParts {
  schema: Schema;
  syntax: Syntax;
  commits: ProjectCommits;
  reads: Reads;
  transactions: Transactions;
  batches: Batches;
  replica: Replica | undefined;
  close(): Promise<void>;
}

const INVALID_CHARACTER = '22021';
const NOTHING: QueryResult = { command: 'SELECT', rowCount: 0, oid: 0, fields: [], rows: [] };

/** A project's tables on a PostgreSQL server. */
export function createPostgresDatabase(parts: PostgresParts): Database {
  const { schema, syntax, commits, reads, transactions, batches, replica } = parts;
  // SQLite takes `in ()` for what it says.
  const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

  async function ask(query: SqlQuery, { anonymous = false }: ReadOptions) {
    try {
      const answer = anonymous ? await replica?.ask(query) : undefined;
      return (answer ?? (await reads.ask(query))).rows;
    } catch (error) {
      throw violationOf(error) === 'check' ? unanswerable(error) : toServiceError(error);
    }
  }

  const search = async (query: SqlQuery): Promise<QueryResult> => {
    try {
      return await reads.askPatiently(query);
    } catch (error) {
      // No text holds the character NUL: nothing is found by one.
      if (codeOf(error) === INVALID_CHARACTER) return NOTHING;
      throw error;
    }
  };

  const reader = new Kysely<unknown>({
    dialect: createDialect({
      run: search,
      begin: () => reads.openSnapshot(),
    }),
    plugins: [emptyLists],
  });
  const writing = (kind: TransactionKind) =>
    new Kysely<unknown>({
      dialect: createDialect({
        // A statement by itself is a transaction like any other.
        run: (query, options) =>
          options.writes
            ? transactions.runTwice(kind, (transaction) => transaction.query(query, options))
            : search(query),
        begin: () => transactions.open(kind),
      }),
      plugins: [strictColumns(), emptyLists],
    });
  const writer = writing('service');
  const exclusiveWriter = writing('exclusive');
  const quietWriter = writing('quiet');
  const catalog = (query: SqlQuery) => known(reads.askPatiently(query));

  let closing: Promise<void> | undefined;
  const close = async () => {
    for (const kysely of [reader, writer, exclusiveWriter, quietWriter]) await kysely.destroy();
    await parts.close();
  };

  return {
    engine: 'postgres',
    reader,
    writer,
    syntax,
    exclusively: (act) => exclusiveWriter.transaction().execute(act),
    quietly: (act) => quietWriter.transaction().execute(act),
    query: (text, values, options = {}) => ask({ text, values }, options),
    values: (text, values, options = {}) =>
      ask({ text, values, rowMode: 'array' }, options) as unknown as Promise<Scalar[][]>,
    write: (plan) => write(plan, { transactions, schema, syntax }),
    run: (batch) => batches.run(batch),
    version: () => commits.version(),
    foreignCommits: () => commits.foreignCommits(),
    columns: (table) => describe(catalog, table),
    cascades: (tables) => cascadesOf(catalog, tables),
    uniqueKeys: (table) => uniqueKeysOf(catalog, table),
    violation: violationOf,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function unanswerable(cause: unknown): AppError {
  return new AppError('VALIDATION_FAILED', 'A value is asked for that no column could hold.', { cause });
}
