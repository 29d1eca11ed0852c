import type { QueryResult } from 'pg';
import type { DialectTransaction } from './dialect.ts';
import { ConnectionLost, isTimeout } from './postgres-error.ts';
import type { SqlQuery } from './sessions/session.ts';
import type { SessionPool } from './sessions/session-pool.ts';
import { ENDLESS, READING, SERVING, setPatience } from './sessions/timeouts.ts';

/** Statements that only read, each by itself. */
export class Reads {
  readonly #pool: SessionPool;

  constructor(pool: SessionPool) {
    this.#pool = pool;
  }

  /** Throws ConnectionLost when a second connection was lost as well. */
  async ask(query: SqlQuery): Promise<QueryResult> {
    return this.#twice(() => this.#pool.use((session) => session.query(query, READING.answer)));
  }

  /** A service's own: what does not come to its end in the time of a request is asked again, with more of it. */
  async askPatiently(query: SqlQuery): Promise<QueryResult> {
    try {
      return await this.ask(query);
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
    return this.#pool.use(async (session) => {
      await session.query({ text: `BEGIN READ ONLY; ${setPatience(SERVING)}` }, READING.answer);
      try {
        return await session.query(query, SERVING.answer);
      } finally {
        if (!session.lost) await session.query({ text: 'ROLLBACK' }, READING.answer);
      }
    });
  }

  /** A transaction that sees one moment of the database, for as long as it takes. */
  async openSnapshot(): Promise<DialectTransaction> {
    const session = await this.#pool.take();
    const query = (statement: SqlQuery) => session.query(statement, ENDLESS.answer);
    let over = false;
    const rollBack = async () => {
      if (over) return;
      over = true;
      if (!session.lost) await query({ text: 'ROLLBACK' }).catch(() => session.giveUp());
      this.#pool.giveBack(session);
    };
    try {
      await query({ text: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${setPatience(ENDLESS)}` });
    } catch (error) {
      await rollBack();
      throw error;
    }
    return { query, rollBack, commit: rollBack };
  }

  /** A server that was started anew has ended every connection: a read goes on with a fresh one. */
  async #twice(act: () => Promise<QueryResult>): Promise<QueryResult> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error.gaveUp) throw error;
      this.#pool.renew();
      return act();
    }
  }
}
