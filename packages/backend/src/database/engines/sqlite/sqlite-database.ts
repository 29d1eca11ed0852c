import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, type LogEvent, sql } from 'kysely';
import type { Row } from '../../../core/bus.ts';
import type { Scalar } from '../../../core/filter.ts';
import { statementTables } from '../../changes.ts';
import type { Database } from '../../port.ts';
import type { Schema } from '../../schema.ts';
import { constraintError } from '../../write/constraint-error.ts';
import { readFileTables } from './client-sql/client-tables.ts';
import { createStatementProcess } from './client-sql/statement-process.ts';
import { countCommits, countForeignCommit, shareCounts } from './commit-counts.ts';
import { connectToRead, connectToWrite, INCREMENTAL, readPragma } from './connect.ts';
import { describeCascades, describeColumns, describeUniqueKeys } from './describe-tables.ts';
import { createFileReader, NotQuick, QUICK_MS, QUICK_ROWS } from './reader/file-reader.ts';
import { readerDialect } from './reader/reader-dialect.ts';
import {
  createStatementLimits,
  STATEMENT_TIMEOUT_MS,
  type StatementLimits,
} from './reader/statement-limits.ts';
import { isBusy, isMalformed, sqliteViolation } from './sqlite-error.ts';
import type { SqliteThreads } from './sqlite-threads.ts';
import { statementCache } from './statement-cache.ts';
import { strictTables } from './strict-tables.ts';
import { syntax } from './syntax.ts';
import { createFileWriter } from './writer/file-writer.ts';
import { writerDialect } from './writer/writer-dialect.ts';

/** Milliseconds that a transaction of a service may stay without a statement. */
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;

/** Milliseconds that a write waits for one of another process. */
const LOCK_TIMEOUT_MS = 5_000;

/** Milliseconds that opening waits for another process that is creating the same file. */
const CREATE_TIMEOUT_MS = 10_000;

export interface SqliteTimeouts {
  /** Milliseconds that one statement may look for rows. */
  statementTimeout?: number;
  /** Milliseconds that a transaction may stay without a statement. */
  idleTransactionTimeout?: number;
  /** Milliseconds that a write waits for one of another process. */
  lockTimeout?: number;
  /** Milliseconds that a batch of a client may take. */
  batchTimeout?: number;
}

interface OpenOptions extends SqliteTimeouts {
  path: string;
  schema: Schema;
  threads: SqliteThreads;
}

/** Opens the file, or creates it. Commits are on disk when they return. */
export async function openSqlite({
  path,
  schema,
  threads,
  statementTimeout = STATEMENT_TIMEOUT_MS,
  idleTransactionTimeout = IDLE_TRANSACTION_TIMEOUT_MS,
  lockTimeout = LOCK_TIMEOUT_MS,
  batchTimeout,
}: OpenOptions): Promise<Database> {
  const limits = createStatementLimits({
    timeout: Math.min(QUICK_MS, statementTimeout),
    maxRows: QUICK_ROWS,
    createError: () => new NotQuick('This takes too long for the main thread.'),
  });
  const connection = await openReader(path, limits);
  const counts = shareCounts();
  let isDamaged = false;
  const noteDamage = (error: unknown) => {
    isDamaged ||= isMalformed(error);
  };
  const log = (event: LogEvent) => {
    if (event.level === 'error') noteDamage(event.error);
  };
  const prepare = statementCache(connection);
  const reader = createFileReader({
    ...{ thread: threads.reader, path },
    ...{ connection, prepare, limits, statementTimeout },
    onError: noteDamage,
  });
  const writer = createFileWriter({
    ...{ thread: threads.writer, file: threads.nextFileNumber() },
    ...{ path, schema, counts, timeouts: { statementTimeout, idleTransactionTimeout, lockTimeout } },
    onOpen: () => commits.refresh(),
  });
  const commits = countCommits({ counts, reader: connection, countInWriter: writer.countForeignCommits });
  const statements = createStatementProcess({
    path,
    tables: statementTables(schema),
    longestMs: batchTimeout,
  });
  const readerKysely = new Kysely<unknown>({ dialect: readerDialect(connection, prepare), log });
  const writerKysely = new Kysely<unknown>({
    dialect: writerDialect(writer),
    plugins: [strictTables()],
    log,
  });
  const exclusiveKysely = new Kysely<unknown>({
    dialect: writerDialect(writer, { exclusive: true }),
    plugins: [strictTables()],
  });
  const quietKysely = new Kysely<unknown>({ dialect: writerDialect(writer, { quiet: true }), log });
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await writer.finish();
    await statements.close();
    for (const kysely of [readerKysely, writerKysely, exclusiveKysely, quietKysely]) await kysely.destroy();
    await reader.close();
    // The last connection to close moves the log into the file, if it can write.
    await writer.close();
  }
  return {
    engine: 'sqlite',
    reader: readerKysely,
    writer: writerKysely,
    syntax,
    exclusively: (act) => exclusiveKysely.transaction().execute(act),
    quietly: (act) => quietKysely.transaction().execute(act),
    query: (sql, parameters) => reader.read({ kind: 'objects', sql, parameters }) as Row[] | Promise<Row[]>,
    values: (sql, parameters) =>
      reader.read({ kind: 'arrays', sql, parameters }) as Scalar[][] | Promise<Scalar[][]>,
    async write(plan) {
      try {
        return await writer.plan(plan);
      } catch (error) {
        noteDamage(error);
        const violation = sqliteViolation(error);
        throw violation ? constraintError(violation, error) : error;
      }
    },
    async run(batch) {
      try {
        return await statements.run(batch);
      } finally {
        // The batch ran in another process, but its commit must be visible in this one at once.
        if (batch.mode === 'write') countForeignCommit(counts);
      }
    },
    version: commits.version,
    foreignCommits: commits.foreignCommits,
    space: {
      read() {
        const read = (name: string) => readPragma(connection, name);
        const pageBytes = read('page_size');
        return {
          bytes: read('page_count') * pageBytes,
          free: read('freelist_count') * pageBytes,
          givesBack: read('auto_vacuum') === INCREMENTAL,
        };
      },
      async compact() {
        for (const text of [
          'PRAGMA auto_vacuum = INCREMENTAL',
          'VACUUM',
          'PRAGMA wal_checkpoint(TRUNCATE)',
        ]) {
          await sql.raw(text).execute(writerKysely);
        }
      },
    },
    columns: (table, transaction) => describeColumns(transaction ?? readerKysely, table),
    clientColumns: async (table) =>
      readFileTables(connection).ofClients.has(table) ? describeColumns(readerKysely, table) : [],
    cascades: async (tables) => tables.flatMap((table) => describeCascades(prepare, table)),
    uniqueKeys: async (table) => describeUniqueKeys(prepare, table),
    violation: sqliteViolation,
    isDamaged: () => isDamaged,
    onUncertainCommit: () => () => undefined,
    clockAhead: async () => undefined,
    pools: () => [],
    replicaLag: async () => undefined,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Returns a reading connection to the file, which is created if it does not exist. */
async function openReader(path: string, limits: StatementLimits): Promise<DatabaseSync> {
  const deadline = performance.now() + CREATE_TIMEOUT_MS;
  for (;;) {
    try {
      return createAndRead(path, limits);
    } catch (error) {
      // SQLite does not wait for another process that creates the same file.
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await wait(20);
    }
  }
}

function createAndRead(path: string, limits: StatementLimits): DatabaseSync {
  const creator = connectToWrite(path, limits);
  try {
    const reader = connectToRead(path, limits);
    // The reader opens the log before the creator closes: the last connection to close would remove it.
    reader.prepare('SELECT 1 FROM sqlite_schema').get();
    return reader;
  } finally {
    creator.close();
  }
}
