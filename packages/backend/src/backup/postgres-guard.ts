import type { Client } from 'pg';
import { connectAdmin } from '../database/engines/postgres/sessions/connect-admin.ts';
import type { Guard, Hold } from './lock.ts';

/** Of the server's locks, whose numbers count within one database: this one is nobody else's. */
const IN_USE_LOCK = '5409271163840217745';

/** Between two tries to have a lock again that went with its connection. */
const AGAIN_MS = 1_000;

/** Processes meet at a lock of the database, which the server takes back when a connection ends. */
export function postgresGuard(url: string): Guard {
  return {
    async share() {
      const sharing = new Sharing(url);
      await sharing.begin();
      return sharing;
    },
    async take() {
      const client = await connectAdmin(url);
      const { rows } = await client.query(`SELECT pg_try_advisory_lock(${IN_USE_LOCK}) AS taken`);
      if (rows[0].taken) return { release: () => client.end() };
      await client.end();
      return undefined;
    },
  };
}

/** A lock that is had again after the server was away. */
class Sharing implements Hold {
  readonly #url: string;
  #client: Client | undefined;
  #again: NodeJS.Timeout | undefined;
  #released = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws a sentence when somebody has the database for itself. */
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

  async #lock(patience?: number): Promise<boolean> {
    const client = await connectAdmin(this.#url, patience);
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
