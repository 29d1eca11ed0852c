import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../../../../core/bus.ts';
import type { WriteOutcome, WritePlan } from '../../../port.ts';
import { runPlan } from '../../../write/run-plan.ts';
import { countOwnCommit, foreignCommitCounter, shareCounts } from '../commit-counts.ts';
import { connectToWrite, INCREMENTAL, readPragma } from '../connect.ts';
import { createStatementLimits, statementTimedOut } from '../reader/statement-limits.ts';
import { isBusy } from '../sqlite-error.ts';
import { statementCache } from '../statement-cache.ts';
import { syntax } from '../syntax.ts';
import type { OpenTask, ServiceStatement, ServiceStatementResult } from './writer-tasks.ts';

/** The one connection of this process that writes to a project's file, in the writer's thread. */
export interface OpenFile {
  /** Takes the write lock; returns false while another process has it. */
  begin(): boolean;
  /** Commits durably. `wrote` tells whether readers could see a difference. */
  commit(wrote: boolean): void;
  rollback(): void;
  /** SQLite ends a transaction by itself after some errors, such as a full disk. */
  inTransaction(): boolean;
  /** Runs `act` within a savepoint of the transaction, which is rolled back when it throws. */
  inSavepoint<T>(act: () => T | Promise<T>): Promise<T>;
  plan(plan: WritePlan): Promise<WriteOutcome>;
  statement(statement: ServiceStatement): ServiceStatementResult;
  /** Runs a statement that SQLite does not run within a transaction. */
  outsideTransaction(statement: ServiceStatement): ServiceStatementResult;
  countForeignCommits(): void;
  /** Returns the number of free pages that the file can give back. */
  freePages(): number;
  /** Moves rows from the end of the file into free pages; returns false while another process has the write lock. */
  giveBackPages(pages: number): boolean;
  /** Moves the log into the file, and cuts off what both no longer need, unless a reader still needs it. */
  shorten(): void;
  close(): void;
}

export function openFile({ path, schema, counts: buffer, statementTimeout }: OpenTask): OpenFile {
  const counts = shareCounts(buffer);
  const limits = createStatementLimits({ timeout: statementTimeout, createError: statementTimedOut });
  const connection = connectToWrite(path, limits);
  // A thread that waits for the lock would keep other files waiting: the queue tries again later.
  connection.exec('PRAGMA busy_timeout = 0');
  const prepare = statementCache(connection);
  const execute = (sql: string) => prepare(sql).statement.run();
  const countForeignCommits = foreignCommitCounter(counts, connection);

  function run(sql: string, parameters: readonly unknown[]): ServiceStatementResult {
    limits.begin();
    const { statement, returnsRows } = prepare(sql);
    const values = parameters as SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...values) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changed: { rows: changes, lastId: lastInsertRowid } };
  }

  return {
    begin() {
      try {
        execute('BEGIN IMMEDIATE');
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    },
    commit(wrote) {
      execute('COMMIT');
      if (wrote) countOwnCommit(counts);
    },
    rollback() {
      if (connection.isTransaction) execute('ROLLBACK');
    },
    inTransaction: () => connection.isTransaction,
    async inSavepoint(act) {
      execute('SAVEPOINT task');
      try {
        const result = await act();
        execute('RELEASE task');
        return result;
      } catch (error) {
        if (connection.isTransaction) {
          execute('ROLLBACK TO task');
          execute('RELEASE task');
        }
        throw error;
      }
    },
    plan: (plan) =>
      runPlan(plan, {
        schema,
        syntax,
        run: ({ sql, parameters }) => run(sql, parameters).rows as Row[],
      }),
    statement: ({ sql, parameters }) => run(sql, parameters),
    outsideTransaction({ sql, parameters }) {
      const result = run(sql, parameters);
      countOwnCommit(counts);
      return result;
    },
    countForeignCommits,
    freePages: () =>
      readPragma(connection, 'auto_vacuum') === INCREMENTAL ? readPragma(connection, 'freelist_count') : 0,
    giveBackPages(pages) {
      try {
        connection.exec(`PRAGMA incremental_vacuum(${pages})`);
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    },
    shorten: () => connection.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    close: () => connection.close(),
  };
}
