/** A place in the server's log of writes: what is at or before it is committed. */
export type Position = bigint;

export const CURRENT_POSITION = 'SELECT pg_current_wal_insert_lsn()::text AS position';

/** `16/B374D848`, as the server writes it; undefined for anything else. */
export function parsePosition(text: unknown): Position | undefined {
  const found = typeof text === 'string' ? /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) : null;
  return found ? (BigInt(`0x${found[1]}`) << 32n) + BigInt(`0x${found[2]}`) : undefined;
}

export interface CommitsOptions {
  /** Whether it matters how far the log is. */
  positions: boolean;
  /** Tells all others of a commit. */
  announce(): void;
  /** Whether commits of others are heard of at the moment. */
  hears(): boolean;
}

/** What is known of the commits in one project: those of this process, and those of others. */
export class ProjectCommits {
  /** The statement that ends a transaction. */
  readonly commit: string;
  /** Every commit that is known of is at or before it; undefined when one may be behind. */
  position: Position | undefined;
  readonly #options: CommitsOptions;
  #own = 0;
  #foreign = 0;

  constructor(options: CommitsOptions) {
    this.#options = options;
    this.commit = options.positions ? `COMMIT; ${CURRENT_POSITION}` : 'COMMIT';
  }

  /** A commit of this process, with what the server answered to `commit`; nothing if that is not known. */
  noteOwn(answer?: { position?: unknown }): void {
    this.#own += 1;
    this.#note(parsePosition(answer?.position));
    this.#options.announce();
  }

  noteForeign(position: Position | undefined): void {
    this.#foreign += 1;
    this.#note(position);
  }

  /** Of this process and all others; undefined while others are not heard of. */
  version(): number | undefined {
    return this.#options.hears() ? this.#own + this.#foreign : undefined;
  }

  /** Another number each time while others are not heard of: there may be some. */
  foreignCommits(): number {
    if (!this.#options.hears()) this.#foreign += 1;
    return this.#foreign;
  }

  #note(position: Position | undefined): void {
    const known = this.position;
    this.position = known !== undefined && position !== undefined && known > position ? known : position;
  }
}
