import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../../../../core/bus.ts';
import type { WriteOutcome } from '../../../port.ts';
import { runPlan } from '../../../write/run-plan.ts';
import { countForeignCommits, countOwnCommit, shareCounts } from '../commit-counts.ts';
import { connectToWrite } from '../connect.ts';
import { createStatementLimits, statementTimeout } from '../reader/statement-limits.ts';
import { isBusy } from '../sqlite-error.ts';
import { statementCache } from '../statement-cache.ts';
import { syntax } from '../syntax.ts';
import { planReceiver, type SentPlan } from './sent-plan.ts';
import type { OpenTask, ServiceStatement, StatementAnswer } from './writer-tasks.ts';

/** A project's file in the writer's thread: the one connection of this process that writes to it. */
export interface OpenFile {
  /** Takes the lock that there is for writing; false while another process has it. */
  begin(): boolean;
  /** On the disk when it returns; `wrote` says whether there was anything to be seen. */
  commit(wrote: boolean): void;
  rollback(): void;
  /** SQLite ends a transaction itself when something goes badly wrong. */
  inTransaction(): boolean;
  /** Within a transaction, all of it or nothing. */
  apart<T>(act: () => T | Promise<T>): Promise<T>;
  plan(sent: SentPlan): Promise<WriteOutcome>;
  statement(statement: ServiceStatement): StatementAnswer;
  /** The same outside of a transaction, for what SQLite does in none. */
  outside(statement: ServiceStatement): StatementAnswer;
  /** Counts what other processes have committed. */
  look(): void;
  close(): void;
}

export function openFile({ path, schema, counts: buffer, longestStatement }: OpenTask): OpenFile {
  const counts = shareCounts(buffer);
  const limits = createStatementLimits({ longestMs: longestStatement, tooMuch: statementTimeout });
  const connection = connectToWrite(path, limits);
  // A thread that waits would keep other files waiting: whoever asked in vain asks again.
  connection.exec('PRAGMA busy_timeout = 0');
  const prepare = statementCache(connection);
  const execute = (sql: string) => prepare(sql).statement.run();
  const look = countForeignCommits(counts, connection);
  const receive = planReceiver();

  function run(sql: string, parameters: readonly unknown[]): StatementAnswer {
    limits.begin();
    const { statement, answersRows } = prepare(sql);
    const values = parameters as SQLInputValue[];
    if (answersRows) return { rows: statement.all(...values) };
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
    async apart(act) {
      execute('SAVEPOINT apart');
      try {
        const result = await act();
        execute('RELEASE apart');
        return result;
      } catch (error) {
        if (connection.isTransaction) {
          execute('ROLLBACK TO apart');
          execute('RELEASE apart');
        }
        throw error;
      }
    },
    plan: (sent) =>
      runPlan(receive(sent), {
        schema,
        syntax,
        run: ({ sql, parameters }) => run(sql, parameters).rows as Row[],
      }),
    statement: ({ sql, parameters }) => run(sql, parameters),
    outside({ sql, parameters }) {
      const answer = run(sql, parameters);
      countOwnCommit(counts);
      return answer;
    },
    look,
    close: () => connection.close(),
  };
}
