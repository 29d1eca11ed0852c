import { setTimeout as wait } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { unavailable } from '../postgres-error.ts';
import { clientConfig, type Login } from './login.ts';
import { Session } from './session.ts';

/** Beyond so many that wait for a connection, whoever comes is told so at once. */
const MOST_WAITING = 1_000;

/** A connection that nobody has used for so long is closed. */
const IDLE_MS = 30_000;

/** A server that has not taken leave of us after so long hangs. */
const LEAVE_MS = 1_000;

/** Connections of one login, lent one after the other. */
export class SessionPool {
  readonly #pool: Pool;
  readonly #sessions = new Map<PoolClient, Session>();
  #generation = 0;
  #lent = 0;
  #whenReturned: (() => void) | undefined;

  constructor(login: Login, size: number) {
    this.#pool = new Pool({ ...clientConfig(login), max: size, idleTimeoutMillis: IDLE_MS });
    // A connection that ends while nobody uses it is missed by nobody.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => {
      this.#sessions.set(client, new Session(client, this.#generation));
    });
    this.#pool.on('remove', (client) => this.#sessions.delete(client));
  }

  /** Lends a connection until the work is done. Throws DATABASE_UNAVAILABLE when there is none. */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.take();
    try {
      return await work(session);
    } finally {
      this.giveBack(session);
    }
  }

  /** A connection, to be given back. Throws DATABASE_UNAVAILABLE. */
  async take(): Promise<Session> {
    if (this.#pool.waitingCount >= MOST_WAITING) throw unavailable();
    this.#lent += 1;
    try {
      for (;;) {
        const client = await this.#pool.connect();
        const session = this.#sessions.get(client);
        if (session && !session.lost && session.generation === this.#generation) return session;
        client.release(true);
      }
    } catch (error) {
      this.#returned();
      throw unavailable(error);
    }
  }

  giveBack(session: Session): void {
    session.client.release(session.lost);
    this.#returned();
  }

  /** From now on only connections are lent that are made from now on: the others may have ended unnoticed. */
  renew(): void {
    this.#generation += 1;
  }

  /** Waits for what is lent. */
  async close(): Promise<void> {
    if (this.#lent > 0) {
      await new Promise<void>((resolve) => {
        this.#whenReturned = resolve;
      });
    }
    const ended = this.#pool.end();
    await Promise.race([ended, wait(LEAVE_MS, undefined, { ref: false })]);
    for (const session of this.#sessions.values()) session.giveUp();
    await ended;
  }

  #returned(): void {
    this.#lent -= 1;
    if (this.#lent === 0) this.#whenReturned?.();
  }
}
