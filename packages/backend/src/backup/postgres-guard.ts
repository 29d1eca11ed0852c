import type { Client } from 'pg';
import { connectAdmin } from '../database/engines/postgres/sessions/connect-admin.ts';
import type { DataGuard, DataLock } from './lock.ts';

/** The number of an advisory lock, which counts within one database. */
const IN_USE_LOCK = '5409271163840217745';

/** Milliseconds before another try to get a lock back that was lost with its connection. */
const AGAIN_MS = 1_000;

/**
 * Returns a guard that uses an advisory lock of the database. The server releases it when the connection
 * ends.
 */
export function postgresGuard(url: string): DataGuard {
  return {
    async lockShared() {
      const sharing = new Sharing(url);
      await sharing.begin();
      return sharing;
    },
    async lockExclusive() {
      const client = await connectAdmin(url);
      const { rows } = await client.query(`SELECT pg_try_advisory_lock(${IN_USE_LOCK}) AS taken`);
      if (rows[0].taken) return { release: () => client.end() };
      await client.end();
      return undefined;
    },
  };
}

/** Holds a shared lock, which is taken again after the connection was lost. */
class Sharing implements DataLock {
  readonly #url: string;
  #client: Client | undefined;
  #again: NodeJS.Timeout | undefined;
  #released = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws when another process has locked the database exclusively. */
  async begin(): Promise<void> {
    if (await this.#lock()) return;
    throw new Error(
      'The data in PostgreSQL is just being restored, copied or taken back: wait for the end of that.',
    );
  }

  async release(): Promise<void> {
    this.#released = true;
    clearTimeout(this.#again);
    await this.#client?.end();
  }

  async #lock(timeout?: number): Promise<boolean> {
    const client = await connectAdmin(this.#url, { timeout });
    const { rows } = await client.query(`SELECT pg_try_advisory_lock_shared(${IN_USE_LOCK}) AS shared`);
    if (!rows[0].shared || this.#released) {
      await client.end();
      return false;
    }
    this.#client = client;
    client.on('end', () => this.#lose());
    return true;
  }

  #lose(): void {
    this.#client = undefined;
    if (this.#released) return;
    this.#again = setTimeout(() => {
      this.#lock(0).then(
        (locked) => locked || this.#lose(),
        () => this.#lose(),
      );
    }, AGAIN_MS).unref();
  }
}
