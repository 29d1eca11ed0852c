import type { QueryResult } from 'pg';
import { isTimeout } from '../postgres-error.ts';
import type { Session, SqlQuery } from '../sessions/session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import { READING } from '../sessions/timeouts.ts';
import { type Position, type ProjectCommits, parsePosition } from './project-commits.ts';

/** A copy that cannot be reached is left alone for so long, in milliseconds … */
const DOWN_MS = 1_000;
/** … and one that is behind for so long. */
const BEHIND_MS = 10;

const REPLAYED = 'SELECT pg_last_wal_replay_lsn()::text AS position WHERE pg_is_in_recovery()';

export interface ReplicaOptions {
  pool: SessionPool;
  commits: ProjectCommits;
  /** How far the primary is; asked when a commit came about of which that is not known. */
  askPosition(): Promise<Position | undefined>;
}

/** Reads from a copy of the database that follows it, as far as it has followed. */
export class Replica {
  readonly #options: ReplicaOptions;
  #restUntil = 0;
  #asking = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** Undefined when the copy is behind what this process knows to be committed, or does not answer. */
  async ask(query: SqlQuery): Promise<QueryResult | undefined> {
    const { pool, commits } = this.#options;
    const needed = commits.position;
    if (needed === undefined) this.#learnPosition();
    if (needed === undefined || performance.now() < this.#restUntil) return undefined;
    try {
      return await pool.use(async (session) =>
        (await this.#hasReached(session, needed)) ? session.query(query, READING.answer) : undefined,
      );
    } catch (error) {
      // The primary would take as long. Whatever else is wrong with the copy, the primary knows better.
      if (isTimeout(error)) throw error;
      this.#rest(DOWN_MS);
      return undefined;
    }
  }

  close(): Promise<void> {
    return this.#options.pool.close();
  }

  /** A connection leads to one server, which never falls back behind what it has said. */
  async #hasReached(session: Session, needed: Position): Promise<boolean> {
    if (session.replayed >= needed) return true;
    const { rows } = await session.query({ text: REPLAYED }, READING.answer);
    session.replayed = parsePosition(rows[0]?.position) ?? 0n;
    if (session.replayed >= needed) return true;
    this.#rest(BEHIND_MS);
    return false;
  }

  #rest(milliseconds: number): void {
    this.#restUntil = Math.max(this.#restUntil, performance.now() + milliseconds);
  }

  #learnPosition(): void {
    if (this.#asking) return;
    this.#asking = true;
    const { commits, askPosition } = this.#options;
    const asked = commits.version();
    askPosition()
      .then((position) => {
        // What was committed meanwhile may be behind the answer.
        if (asked !== undefined && asked === commits.version()) commits.position ??= position;
      })
      .catch(() => this.#rest(DOWN_MS))
      .finally(() => {
        this.#asking = false;
      });
  }
}
