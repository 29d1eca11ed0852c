import { DatabaseError } from 'pg';
import { AppError } from '../../../../core/errors.ts';
import type { StatementTables } from '../../../recorded-tables.ts';
import {
  MOST_BYTES,
  type SqlRows,
  type StatementBatch,
  type StatementResult,
} from '../../../sql/statement-batch.ts';
import {
  batchTimeout,
  NotAllowed,
  othersWrite,
  type StatementPlace,
  statementRefused,
  tooManyChanges,
  writeRefused,
} from '../../../sql/statement-error.ts';
import { codeOf, isCollision, isTimeout, toServiceError, violationOf } from '../postgres-error.ts';
import type { OpenTransaction } from '../transactions.ts';
import type { Ask } from './ask.ts';
import { guardTables, requireUntouched } from './guarded-tables.ts';
import { readRows } from './read-result.ts';
import { readChanges, recordChanges, TOO_MANY_CHANGES } from './record-changes.ts';

export interface RunOptions {
  tables: StatementTables;
  /** Milliseconds that the batch may take. */
  longestMs: number;
}

const READ_ONLY_TRANSACTION = '25006';
const LOCK_NOT_AVAILABLE = '55P03';

/** Milliseconds in which a server that ends a statement itself has said so. */
const GRACE_MS = 2_000;

/**
 * Carries out a batch in a transaction that has just begun, of the mode that the batch asks for; one that reads must
 * have read something, or it could be made to write. The connection must be cleared before anybody else uses it:
 * statements may set what outlives a transaction.
 */
export async function runStatements(
  transaction: OpenTransaction,
  { statements, mode }: StatementBatch,
  { tables, longestMs }: RunOptions,
): Promise<StatementResult> {
  const writes = mode === 'write';
  const of = statements.length;
  const ask: Ask = async (text, values = []) => (await transaction.query({ text, values }, { writes })).rows;
  const guarded = await atPlace({ at: 0, of }, longestMs, async () => {
    if (!writes) return undefined;
    await recordChanges(ask, tables.recorded);
    return guardTables(
      ask,
      statements.map(({ verb }) => verb),
    );
  });
  const clock = createClock(ask, longestMs);
  const limits = { bytes: MOST_BYTES };
  const results: SqlRows[] = [];
  for (const [at, statement] of statements.entries()) {
    const run = async () => {
      const left = await clock();
      return readRows(transaction.session, statement, Object.assign(limits, { patience: left + GRACE_MS }));
    };
    results.push(await atPlace({ at, of }, longestMs, run));
  }
  if (!guarded) return { results, changes: [] };
  const changes = await atPlace({ at: of - 1, of }, longestMs, async () => {
    await clock();
    // What is to be true at the end of a transaction only is asked for now. And whatever the batch has set, what is
    // asked from now on is asked of the server's own tables.
    await ask('SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL search_path = pg_catalog');
    const recorded = await readChanges(ask);
    await requireUntouched(ask, guarded);
    return recorded;
  });
  return { results, changes };
}

/**
 * Gives the server the time that is left, and answers how much that is. Before each statement: the one before may have
 * given itself more. Throws STATEMENT_TIMEOUT.
 */
function createClock(ask: Ask, longestMs: number): () => Promise<number> {
  const until = performance.now() + longestMs;
  return async () => {
    const left = Math.ceil(until - performance.now());
    if (left <= 0) throw batchTimeout(longestMs);
    await ask(`SET LOCAL statement_timeout = ${left}`);
    return left;
  };
}

async function atPlace<T>(place: StatementPlace, longestMs: number, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw presentFailure(error, place, longestMs);
  }
}

function presentFailure(error: unknown, place: StatementPlace, longestMs: number): unknown {
  if (error instanceof NotAllowed) return statementRefused(place, error);
  if (isTimeout(error)) return batchTimeout(longestMs, error);
  const code = codeOf(error);
  if (code === READ_ONLY_TRANSACTION) return writeRefused(place, error);
  if (code === TOO_MANY_CHANGES) return statementRefused(place, tooManyChanges());
  if (code === LOCK_NOT_AVAILABLE || isCollision(error)) return othersWrite(error);
  const known = toServiceError(error);
  if (known instanceof AppError || !(error instanceof DatabaseError)) return known;
  // What is wrong with the server, or with us.
  if (/^(?:XX|58)/.test(code ?? '')) return error;
  const message = error.detail ? `${error.message} (${error.detail})` : error.message;
  return statementRefused(place, { message, violation: brokenBy(error), cause: error });
}

function brokenBy(error: DatabaseError): ReturnType<typeof violationOf> {
  if (!error.code?.startsWith('23')) return undefined;
  return error.code === '23P01' ? 'unique' : violationOf(error);
}
