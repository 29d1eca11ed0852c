import type { QueryResult } from 'pg';
import { isTimeout } from '../postgres-error.ts';
import type { PostgresSession, SqlQuery } from '../sessions/session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import { READ_TIMEOUTS } from '../sessions/timeouts.ts';
import { type Position, type ProjectCommits, parsePosition } from './project-commits.ts';

/** Milliseconds without a query to a replica that cannot be reached. */
const UNREACHABLE_MS = 1_000;
/** Milliseconds without a query to a replica that is behind. */
const BEHIND_MS = 10;
/** Milliseconds for which readers go to the replica at once after the primary did not respond. */
const PRIMARY_AWAY_MS = 1_000;

const REPLAYED = 'SELECT pg_last_wal_replay_lsn()::text AS position WHERE pg_is_in_recovery()';

/** While there is nothing to replay, the age of the last transaction says nothing. */
const LAG = `SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
  ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp()) END AS seconds`;

interface ReplicaOptions {
  pool: SessionPool;
  commits: ProjectCommits;
  /** Returns the position of the primary; called when the position of the last commit is not known. */
  askPosition(): Promise<Position | undefined>;
}

/** Reads from a replica, as long as it has replayed all known commits. */
export class Replica {
  readonly #options: ReplicaOptions;
  #pausedUntil = 0;
  #primaryAwayUntil = 0;
  #asking = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** Returns undefined when the replica is behind what this process knows to be committed, or does not respond. */
  async query(query: SqlQuery): Promise<QueryResult | undefined> {
    const { pool, commits } = this.#options;
    const needed = commits.position;
    if (needed === undefined) this.#learnPosition();
    if (needed === undefined || performance.now() < this.#pausedUntil) return undefined;
    try {
      return await pool.use(async (session) =>
        (await this.#hasReplayed(session, needed)) ? session.query(query, READ_TIMEOUTS.response) : undefined,
      );
    } catch (error) {
      // The primary would take as long. After any other error of the replica, the primary is asked.
      if (isTimeout(error)) throw error;
      this.#pause(UNREACHABLE_MS);
      return undefined;
    }
  }

  /** Returns the seconds that the replica is behind; undefined when it does not respond. */
  async lag(): Promise<number | undefined> {
    try {
      const { rows } = await this.#options.pool.use((session) =>
        session.query({ text: LAG }, READ_TIMEOUTS.response),
      );
      return Number(rows[0]?.seconds ?? 0);
    } catch {
      return undefined;
    }
  }

  get state() {
    return this.#options.pool.state;
  }

  /**
   * Reads what the replica has, after the primary did not respond; returns undefined while this process is still notified
   * of commits, because what is read would be cached, or when the replica does not respond either.
   */
  async queryWithoutPrimary(query: SqlQuery): Promise<QueryResult | undefined> {
    const { pool, commits } = this.#options;
    if (commits.version() !== undefined) return undefined;
    this.#primaryAwayUntil = performance.now() + PRIMARY_AWAY_MS;
    try {
      return await pool.use((session) => session.query(query, READ_TIMEOUTS.response));
    } catch {
      return undefined;
    }
  }

  /** Tells whether the primary did not respond a moment ago. */
  get isPrimaryAway(): boolean {
    return performance.now() < this.#primaryAwayUntil && this.#options.commits.version() === undefined;
  }

  close(): Promise<void> {
    return this.#options.pool.close();
  }

  /** A connection leads to one server, whose position never goes back. */
  async #hasReplayed(session: PostgresSession, needed: Position): Promise<boolean> {
    if (session.replayed >= needed) return true;
    const { rows } = await session.query({ text: REPLAYED }, READ_TIMEOUTS.response);
    session.replayed = parsePosition(rows[0]?.position) ?? 0n;
    if (session.replayed >= needed) return true;
    this.#pause(BEHIND_MS);
    return false;
  }

  #pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
  }

  #learnPosition(): void {
    if (this.#asking) return;
    this.#asking = true;
    const { commits, askPosition } = this.#options;
    const version = commits.version();
    askPosition()
      .then((position) => {
        // The position of a commit in between may be later than this one.
        if (version !== undefined && version === commits.version()) commits.position ??= position;
      })
      .catch(() => this.#pause(UNREACHABLE_MS))
      .finally(() => {
        this.#asking = false;
      });
  }
}
