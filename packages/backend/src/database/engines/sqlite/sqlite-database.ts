import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Row } from '../../../core/bus.ts';
import type { Scalar } from '../../../core/filter.ts';
import { statementTables } from '../../changes.ts';
import type { Database } from '../../port.ts';
import type { Schema } from '../../schema.ts';
import { constraintError } from '../../write/constraint-error.ts';
import { createStatementProcess } from './client-sql/statement-process.ts';
import { countCommits, countOwnCommit, shareCounts } from './commit-counts.ts';
import { connectToRead, connectToWrite } from './connect.ts';
import { describeCascades, describeColumns, describeUniqueKeys } from './describe-tables.ts';
import { createFileReader, NotQuick, QUICK_MS, QUICK_ROWS } from './reader/file-reader.ts';
import { readerDialect } from './reader/reader-dialect.ts';
import { createStatementLimits, LONGEST_MS, type StatementLimits } from './reader/statement-limits.ts';
import { isBusy, violationOf } from './sqlite-error.ts';
import type { SqliteThreads } from './sqlite-threads.ts';
import { statementCache } from './statement-cache.ts';
import { strictTables } from './strict-tables.ts';
import { syntax } from './syntax.ts';
import { createFileWriter } from './writer/file-writer.ts';
import { writerDialect } from './writer/writer-dialect.ts';

/** Milliseconds that a transaction of a service may stay without a statement. */
const LONGEST_PAUSE_MS = 30_000;

/** Milliseconds that a write waits for one of another process. */
const LONGEST_WAIT_MS = 5_000;

/** Milliseconds that a new file is waited for which another process is making. */
const MAKING_MS = 10_000;

export interface SqliteLimits {
  /** Milliseconds that one statement may look for rows. */
  longestStatement?: number;
  /** Milliseconds that a transaction may stay without a statement. */
  longestPause?: number;
  /** Milliseconds that a write waits for one of another process. */
  longestWait?: number;
  /** Milliseconds that a batch of a client may take. */
  longestBatch?: number;
}

export interface OpenOptions extends SqliteLimits {
  path: string;
  schema: Schema;
  threads: SqliteThreads;
}

/** Opens (or makes) the file; commits are on the disk before they are answered. */
export async function openSqlite({
  path,
  schema,
  threads,
  longestStatement = LONGEST_MS,
  longestPause = LONGEST_PAUSE_MS,
  longestWait = LONGEST_WAIT_MS,
  longestBatch,
}: OpenOptions): Promise<Database> {
  const limits = createStatementLimits({
    longestMs: Math.min(QUICK_MS, longestStatement),
    mostRows: QUICK_ROWS,
    tooMuch: () => new NotQuick('This takes too long for the thread that answers everybody.'),
  });
  const connection = await openReader(path, limits);
  const counts = shareCounts();
  const prepare = statementCache(connection);
  const reader = createFileReader({
    ...{ thread: threads.reader, path },
    ...{ connection, prepare, limits, longestStatement },
  });
  const writer = createFileWriter({
    ...{ thread: threads.writer, file: threads.numberFile() },
    ...{ path, schema, counts, limits: { longestStatement, longestPause, longestWait } },
    onOpen: () => commits.look(),
  });
  const commits = countCommits({ counts, reader: connection, askWriter: writer.look });
  const statements = createStatementProcess({
    path,
    tables: statementTables(schema),
    longestMs: longestBatch,
  });
  const reading = new Kysely<unknown>({ dialect: readerDialect(connection, prepare) });
  const writing = new Kysely<unknown>({ dialect: writerDialect(writer), plugins: [strictTables()] });
  const changing = new Kysely<unknown>({
    dialect: writerDialect(writer, { patient: true }),
    plugins: [strictTables()],
  });
  const quiet = new Kysely<unknown>({ dialect: writerDialect(writer, { quiet: true }) });
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await writer.finish();
    await statements.close();
    for (const database of [reading, writing, changing, quiet]) await database.destroy();
    await reader.close();
    // The last one that has the file open writes its log back, if it can write.
    await writer.close();
  }
  return {
    engine: 'sqlite',
    reader: reading,
    writer: writing,
    syntax,
    exclusively: (act) => changing.transaction().execute(act),
    quietly: (act) => quiet.transaction().execute(act),
    query: (sql, parameters) => reader.read({ kind: 'objects', sql, parameters }) as Row[] | Promise<Row[]>,
    values: (sql, parameters) =>
      reader.read({ kind: 'arrays', sql, parameters }) as Scalar[][] | Promise<Scalar[][]>,
    async write(plan) {
      try {
        return await writer.plan(plan);
      } catch (error) {
        const violation = violationOf(error);
        throw violation ? constraintError(violation, error) : error;
      }
    },
    async run(batch) {
      try {
        return await statements.run(batch);
      } finally {
        // By another process: what it may have committed is to be seen at once all the same.
        if (batch.mode === 'write') countOwnCommit(counts);
      }
    },
    version: commits.version,
    foreignCommits: commits.foreignCommits,
    columns: async (table) => describeColumns(prepare, table),
    cascades: async (tables) => tables.flatMap((table) => describeCascades(prepare, table)),
    uniqueKeys: async (table) => describeUniqueKeys(prepare, table),
    violation: violationOf,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** A connection to a file that is made, if need be, in the form that readers and the writer want it in. */
async function openReader(path: string, limits: StatementLimits): Promise<DatabaseSync> {
  const until = performance.now() + MAKING_MS;
  for (;;) {
    try {
      return makeAndRead(path, limits);
    } catch (error) {
      // SQLite does not wait for another process that makes the same file.
      if (!isBusy(error) || performance.now() > until) throw error;
      await wait(20);
    }
  }
}

function makeAndRead(path: string, limits: StatementLimits): DatabaseSync {
  const maker = connectToWrite(path, limits);
  try {
    const reader = connectToRead(path, limits);
    // Before the maker goes: the last one that has the file open would write its log back.
    reader.prepare('SELECT 1 FROM sqlite_schema').get();
    return reader;
  } finally {
    maker.close();
  }
}
