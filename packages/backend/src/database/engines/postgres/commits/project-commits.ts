/** A position in the server's write-ahead log: a commit at or before it is included. */
export type Position = bigint;

export const CURRENT_POSITION = 'SELECT pg_current_wal_insert_lsn()::text AS position';

/** Parses a position as the server writes it (`16/B374D848`); returns undefined for anything else. */
export function parsePosition(text: unknown): Position | undefined {
  const found = typeof text === 'string' ? /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) : null;
  return found ? (BigInt(`0x${found[1]}`) << 32n) + BigInt(`0x${found[2]}`) : undefined;
}

export interface ProjectCommitsOptions {
  /** Whether to ask for the position of each commit, which a replica needs. */
  positions: boolean;
  /** Notifies other processes of a commit. */
  announce(): void;
  /** Whether this process is notified of commits of others at the moment. */
  isListening(): boolean;
}

/** Counts the commits in one project, those of this process and those of others. */
export class ProjectCommits {
  /** The SQL that commits a transaction. */
  readonly commitSql: string;
  /** The position of the last known commit; undefined when there may be a later one. */
  position: Position | undefined;
  readonly #options: ProjectCommitsOptions;
  #own = 0;
  #foreign = 0;

  constructor(options: ProjectCommitsOptions) {
    this.#options = options;
    this.commitSql = options.positions ? `COMMIT; ${CURRENT_POSITION}` : 'COMMIT';
  }

  /** Counts a commit of this process. `row` is the result of `commitSql`, and is missing when that is not known. */
  countOwn(row?: { position?: unknown }): void {
    this.#own += 1;
    this.#advance(parsePosition(row?.position));
    this.#options.announce();
  }

  countForeign(position: Position | undefined): void {
    this.#foreign += 1;
    this.#advance(position);
  }

  /** Returns the number of all commits; undefined while this process is not notified of those of others. */
  version(): number | undefined {
    return this.#options.isListening() ? this.#own + this.#foreign : undefined;
  }

  /** Returns another number at each call while this process is not notified: there may be commits. */
  foreignCommits(): number {
    if (!this.#options.isListening()) this.#foreign += 1;
    return this.#foreign;
  }

  #advance(position: Position | undefined): void {
    const known = this.position;
    this.position = known !== undefined && position !== undefined && known > position ? known : position;
  }
}
