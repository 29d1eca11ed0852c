import { Pool, type PoolClient } from 'pg';
import { settledWithin } from '../../../../runtime/within-time.ts';
import type { PoolState } from '../../../port.ts';
import { unavailable } from '../postgres-error.ts';
import { clientConfig, type Login } from './login.ts';
import { PostgresSession } from './session.ts';
import { READ_TIMEOUTS } from './timeouts.ts';

/** Callers that may wait for a connection; any further one is refused at once. */
export const MAX_WAITING = 1_000;

/** Statements that may be on their way on one connection. */
const MAX_SHARED = 16;

/** Milliseconds without use after which a connection is closed. */
const IDLE_MS = 30_000;

/** Milliseconds that closing waits for the server. */
const CLOSE_TIMEOUT_MS = 1_000;

interface SessionPoolOptions {
  /** Whether a statement is sent although an earlier one on its connection has no result yet, which `share` needs. */
  pipelines?: boolean;
  /** Whether what statements have left in a connection is removed before another caller gets it. */
  resets?: boolean;
}

/** Connections of one login. */
export class SessionPool {
  readonly #pool: Pool;
  readonly #resets: boolean;
  readonly #sessions = new Map<PoolClient, PostgresSession>();
  /** The connections that single statements are on, and how many. */
  readonly #shared = new Map<PostgresSession, number>();
  #generation = 0;
  #inUse = 0;
  #onUnused: (() => void) | undefined;

  constructor(login: Login, size: number, { pipelines = false, resets = false }: SessionPoolOptions = {}) {
    this.#resets = resets;
    const config = { ...clientConfig(login), pipeline: pipelines };
    this.#pool = new Pool({ ...config, max: size, idleTimeoutMillis: IDLE_MS });
    // The pool replaces a connection that ends while it is not in use.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => {
      this.#sessions.set(client, new PostgresSession(client, this.#generation));
    });
    this.#pool.on('remove', (client) => this.#sessions.delete(client));
  }

  get state(): Omit<PoolState, 'name'> {
    const { options, totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { max: options.max ?? 0, open, idle, waiting };
  }

  /** Acquires a connection until the work is done. Throws DATABASE_UNAVAILABLE. */
  async use<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    const session = await this.acquire();
    try {
      return await work(session);
    } finally {
      await this.release(session);
    }
  }

  /**
   * Runs a single statement, on a connection that has others on their way when none is free: the server runs them one after the
   * other. `ahead` is their number. Callers that wait for a connection of their own come first. Throws DATABASE_UNAVAILABLE.
   */
  async share<T>(work: (session: PostgresSession, ahead: number) => Promise<T>): Promise<T> {
    const session = this.#joinable() ?? (await this.acquire());
    const ahead = this.#shared.get(session) ?? 0;
    this.#shared.set(session, ahead + 1);
    try {
      return await work(session, ahead);
    } finally {
      const left = (this.#shared.get(session) ?? 1) - 1;
      if (left > 0) this.#shared.set(session, left);
      else {
        this.#shared.delete(session);
        this.release(session);
      }
    }
  }

  /** Returns the connection with the fewest statements; undefined when the pool has a free one, or callers that wait. */
  #joinable(): PostgresSession | undefined {
    const { options, totalCount, idleCount, waitingCount } = this.#pool;
    if (waitingCount > 0 || idleCount > 0 || totalCount < (options.max ?? 0)) return undefined;
    let [fewest, chosen]: [number, PostgresSession | undefined] = [MAX_SHARED, undefined];
    for (const [session, statements] of this.#shared) {
      if (statements >= fewest || session.lost || session.generation !== this.#generation) continue;
      [fewest, chosen] = [statements, session];
    }
    return chosen;
  }

  /** Returns a connection, which the caller must release. Throws DATABASE_UNAVAILABLE. */
  async acquire(): Promise<PostgresSession> {
    if (this.#pool.waitingCount >= MAX_WAITING) throw unavailable();
    this.#inUse += 1;
    try {
      for (;;) {
        const client = await this.#pool.connect();
        const session = this.#sessions.get(client);
        if (session && !session.lost && session.generation === this.#generation) return session;
        client.release(true);
      }
    } catch (error) {
      this.#countReleased();
      throw unavailable(error);
    }
  }

  /** Gives a connection back, at once unless it is reset before. */
  release(session: PostgresSession): Promise<void> | void {
    return this.#resets ? this.#reset(session) : this.#giveBack(session);
  }

  #giveBack(session: PostgresSession): void {
    session.client.release(session.lost);
    this.#countReleased();
  }

  /** Removes settings, locks, temporary tables and whatever else. */
  async #reset(session: PostgresSession): Promise<void> {
    const reset = { text: 'DISCARD ALL' };
    if (!session.lost) await session.query(reset, READ_TIMEOUTS.response).catch(() => session.destroy());
    this.#giveBack(session);
    if (session.lost) this.#endProcess(session);
  }

  /** Ends the server's process of a connection that was given up: a statement may go on although it was cancelled. */
  #endProcess(session: PostgresSession): void {
    const { processID } = session.client as PoolClient & { processID: number };
    const end = { text: 'SELECT pg_terminate_backend($1)', values: [processID] };
    this.use((other) => other.query(end, READ_TIMEOUTS.response)).catch(() => undefined);
  }

  /** Makes all further connections to another server, and replaces the present ones. */
  moveTo(login: Login): void {
    Object.assign(this.#pool.options, clientConfig(login));
    this.renew();
  }

  /** Replaces all present connections when they are acquired next: they may have ended unnoticed. */
  renew(): void {
    this.#generation += 1;
  }

  /** Waits for the connections in use, and closes all. */
  async close(): Promise<void> {
    if (this.#inUse > 0) {
      await new Promise<void>((resolve) => {
        this.#onUnused = resolve;
      });
    }
    const ended = this.#pool.end();
    await settledWithin(CLOSE_TIMEOUT_MS, ended);
    for (const session of this.#sessions.values()) session.destroy();
    await ended;
  }

  #countReleased(): void {
    this.#inUse -= 1;
    if (this.#inUse === 0) this.#onUnused?.();
  }
}
