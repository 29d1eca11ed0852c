import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { ConnectionLost, endsConnection } from '../postgres-error.ts';

/** A statement as `pg` takes it. */
export interface SqlQuery {
  text: string;
  values?: readonly unknown[];
  /** Has each connection parse and plan the statement once, under this name. */
  name?: string;
  /** Returns rows as arrays instead of objects. */
  rowMode?: 'array';
}

/** Represents a connection while one caller uses it. */
export class PostgresSession {
  readonly client: PoolClient;
  /** Whether the connection has ended, or must not be used again. */
  lost = false;
  /** The position that the replica at the other end had replayed when it was last asked. */
  replayed = 0n;
  /** The generation of the pool when the connection was made. */
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

  /** Runs a statement as `queryAll` does, and returns the first result. */
  async query(query: SqlQuery, timeout: number): Promise<QueryResult> {
    const [result] = await this.queryAll(query, timeout);
    return result;
  }

  /**
   * Runs a statement, or several separated by ";" without values, and returns the result of each. The connection is
   * given up when the server has not responded after `timeout` milliseconds: the server itself ends slow statements
   * before. Throws ConnectionLost.
   */
  queryAll(query: SqlQuery, timeout: number): Promise<[QueryResult, ...QueryResult[]]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.destroy();
        const reason = new Error(`PostgreSQL has not answered for ${timeout} ms.`);
        reject(new ConnectionLost(reason, { timedOut: true }));
      }, timeout);
      this.client.query(query as QueryConfig, (error: Error | null, result: QueryResult | [QueryResult]) => {
        clearTimeout(timer);
        if (!error) resolve(Array.isArray(result) ? result : [result]);
        else if (this.lost || endsConnection(error)) {
          this.lost = true;
          reject(new ConnectionLost(error));
        } else reject(error);
      });
    });
  }

  /** Closes the connection without a message to the server, which may not respond. */
  destroy(): void {
    this.lost = true;
    this.client.connection.stream.destroy();
  }
}
