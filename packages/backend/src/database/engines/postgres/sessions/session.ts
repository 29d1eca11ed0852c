import type { PoolClient, QueryResult } from 'pg';
import { ConnectionLost, endsConnection } from '../postgres-error.ts';

/** A statement as `pg` takes it. */
export interface SqlQuery {
  text: string;
  values?: readonly unknown[];
  /** Rows as arrays in place of objects. */
  rowMode?: 'array';
}

/** A connection that is lent to one piece of work. */
export class Session {
  readonly client: PoolClient;
  /** Nothing more can be asked of it, or it must not be used by anybody else. */
  lost = false;
  /** How far the copy of the database has come that this connection leads to, as it said last. */
  replayed = 0n;
  /** The pool's, when the connection was made. */
  readonly generation: number;

  constructor(client: PoolClient, generation: number) {
    this.client = client;
    this.generation = generation;
    client.on('error', () => {
      this.lost = true;
    });
    client.on('end', () => {
      this.lost = true;
    });
  }

  /** Runs a statement, as `ask` does. */
  async query(query: SqlQuery, patience: number): Promise<QueryResult> {
    const [result] = await this.ask(query, patience);
    return result;
  }

  /**
   * Runs a statement, or several without values and with ";" between them; answers the result of each. A server that
   * has not answered after so many milliseconds hangs: it ends what takes too long itself. Throws ConnectionLost.
   */
  ask(query: SqlQuery, patience: number): Promise<[QueryResult, ...QueryResult[]]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.giveUp();
        const reason = new Error(`PostgreSQL has not answered for ${patience} ms.`);
        reject(new ConnectionLost(reason, { gaveUp: true }));
      }, patience);
      // biome-ignore lint/suspicious/noExplicitAny: the types of pg know its callbacks for some forms of a query only
      this.client.query(query as any, (error: Error | null, result: QueryResult | [QueryResult]) => {
        clearTimeout(timer);
        if (!error) resolve(Array.isArray(result) ? result : [result]);
        else if (this.lost || endsConnection(error)) {
          this.lost = true;
          reject(new ConnectionLost(error));
        } else reject(error);
      });
    });
  }

  /** Ends the connection without a word to the server, which may not be listening. */
  giveUp(): void {
    this.lost = true;
    this.client.connection.stream.destroy();
  }
}
