/** A position in the server's write-ahead log: a commit at or before it is included. */
export type Position = bigint;

export const CURRENT_POSITION = 'SELECT pg_current_wal_insert_lsn()::text AS position';

/** Parses a position as the server writes it (`16/B374D848`); returns undefined for anything else. */
export function parsePosition(text: unknown): Position | undefined {
  const found = typeof text === 'string' ? /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) : null;
  return found ? (BigInt(`0x${found[1]}`) << 32n) + BigInt(`0x${found[2]}`) : undefined;
}

interface ProjectCommitsOptions {
  /** The quoted name of the sequence that counts the commits of all processes. */
  counter: string;
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
  /** All foreign commits up to this count are noticed; undefined when that is not known. */
  #noticed: number | undefined;
  /** The counts of this process's commits after that, and the last of them all. */
  #ownCounts: number[] = [];
  #lastOwnCount = 0;
  readonly #uncertainListeners = new Set<() => void>();

  constructor(options: ProjectCommitsOptions) {
    this.#options = options;
    // The server counts the commit although this process may end meanwhile: a counted commit is a visible one.
    const position = options.positions ? ', pg_current_wal_insert_lsn()::text AS position' : '';
    this.commitSql = `COMMIT; SELECT nextval('${options.counter}') AS count${position}`;
  }

  /** Counts a commit of this process. `row` is the result of `commitSql`, and is missing when that is not known. */
  countOwn(row?: { count?: unknown; position?: unknown }): void {
    this.#own += 1;
    if (typeof row?.count === 'number') {
      this.#ownCounts.push(row.count);
      this.#lastOwnCount = row.count;
    }
    this.#advance(parsePosition(row?.position));
    this.#options.announce();
  }

  /** Counts a commit of this process whose response was lost: it is there, or not. */
  countUncertain(): void {
    this.countOwn();
    for (const listener of this.#uncertainListeners) listener();
  }

  /** Calls the listener after each such commit, until the returned function is called. */
  onUncertain(listener: () => void): () => void {
    this.#uncertainListeners.add(listener);
    return () => this.#uncertainListeners.delete(listener);
  }

  /** Counts commits of other processes. `count` is a count that they have reached. */
  countForeign(position: Position | undefined, count?: number): void {
    this.#foreign += 1;
    this.#advance(position);
    if (count !== undefined && this.#noticed !== undefined && count > this.#noticed) this.#notice(count);
  }

  /** Counts a commit of this process whose changes the bus does not have as a foreign one, too. */
  countUnlisted(): void {
    this.#foreign += 1;
  }

  /** Returns the count of this process's last commit; 0 when it is not known. */
  get lastOwnCount(): number {
    return this.#lastOwnCount;
  }

  /** Begins to compare counts: everything up to this one is noticed. */
  beginCount(count: number): void {
    this.#noticed = count;
  }

  /**
   * Compares the count of all commits, as it was a moment ago, with the commits that this process knows: those that it was
   * not notified of count as foreign ones.
   */
  checkCount(count: number): void {
    const noticed = this.#noticed;
    const own = this.#ownCounts.filter((one) => one <= count).length;
    if (noticed === undefined || own < count - noticed) this.countForeign(undefined);
    this.#notice(Math.max(count, noticed ?? 0));
  }

  /** Takes everything up to the next look at the counter for foreign: a server that was away may count otherwise. */
  forgetCount(): void {
    this.#noticed = undefined;
  }

  #notice(count: number): void {
    this.#noticed = count;
    this.#ownCounts = this.#ownCounts.filter((one) => one > count);
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
