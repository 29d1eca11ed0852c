import { setTimeout as wait } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import type { PoolState } from '../../../port.ts';
import { unavailable } from '../postgres-error.ts';
import { clientConfig, type Login } from './login.ts';
import { PostgresSession } from './session.ts';

/** Callers that may wait for a connection; any further one is refused at once. */
const MAX_WAITING = 1_000;

/** Milliseconds without use after which a connection is closed. */
const IDLE_MS = 30_000;

/** Milliseconds that closing waits for the server. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Connections of one login. */
export class SessionPool {
  readonly #pool: Pool;
  readonly #sessions = new Map<PoolClient, PostgresSession>();
  #generation = 0;
  #inUse = 0;
  #onUnused: (() => void) | undefined;

  constructor(login: Login, size: number) {
    this.#pool = new Pool({ ...clientConfig(login), max: size, idleTimeoutMillis: IDLE_MS });
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
      this.release(session);
    }
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

  release(session: PostgresSession): void {
    session.client.release(session.lost);
    this.#countReleased();
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
    await Promise.race([ended, wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    for (const session of this.#sessions.values()) session.destroy();
    await ended;
  }

  #countReleased(): void {
    this.#inUse -= 1;
    if (this.#inUse === 0) this.#onUnused?.();
  }
}
