import type { QueryResult } from 'pg';
import type { DialectTransaction } from './dialect.ts';
import { ConnectionLost, isTimeout } from './postgres-error.ts';
import type { SqlQuery } from './sessions/session.ts';
import type { SessionPool } from './sessions/session-pool.ts';
import { StatementNames } from './sessions/statement-names.ts';
import { NO_TIMEOUTS, READ_TIMEOUTS, SERVICE_TIMEOUTS, setTimeouts } from './sessions/timeouts.ts';

/** Runs statements that only read. */
export class Reads {
  readonly #pool: SessionPool;
  readonly #names = new StatementNames();

  constructor(pool: SessionPool) {
    this.#pool = pool;
  }

  /** Runs a statement of a request. Throws ConnectionLost when a second connection was lost as well. */
  async query(query: SqlQuery): Promise<QueryResult> {
    const run = () =>
      this.#retryOnce(() =>
        this.#pool.share((session, ahead) =>
          session.query(this.#names.named(query), READ_TIMEOUTS.response + ahead * READ_TIMEOUTS.statement),
        ),
      );
    try {
      return await run();
    } catch (error) {
      if (this.#names.renewAfter(error)) return run();
      throw error;
    }
  }

  /** Runs a statement of a service: after the timeout of requests, it is run again with a longer one. */
  async queryForService(query: SqlQuery): Promise<QueryResult> {
    try {
      return await this.query(query);
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
    return this.#pool.use(async (session) => {
      const begin = { text: `BEGIN READ ONLY; ${setTimeouts(SERVICE_TIMEOUTS)}` };
      await session.query(begin, READ_TIMEOUTS.response);
      try {
        return await session.query(query, SERVICE_TIMEOUTS.response);
      } finally {
        if (!session.lost) await session.query({ text: 'ROLLBACK' }, READ_TIMEOUTS.response);
      }
    });
  }

  /** Opens a transaction that sees one snapshot of the database. It has no timeouts. */
  async openSnapshot(): Promise<DialectTransaction> {
    const session = await this.#pool.acquire();
    const query = (statement: SqlQuery) => session.query(statement, NO_TIMEOUTS.response);
    let over = false;
    const rollBack = async () => {
      if (over) return;
      over = true;
      if (!session.lost) await query({ text: 'ROLLBACK' }).catch(() => session.destroy());
      this.#pool.release(session);
    };
    try {
      await query({ text: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${setTimeouts(NO_TIMEOUTS)}` });
    } catch (error) {
      await rollBack();
      throw error;
    }
    return { query, rollBack, commit: rollBack };
  }

  /** After a restart of the server, all connections of the pool are lost: a read is run again on a new one. */
  async #retryOnce(run: () => Promise<QueryResult>): Promise<QueryResult> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error.timedOut) throw error;
      this.#pool.renew();
      return run();
    }
  }
}
