import type { Database } from '../../database/port.ts';

/** Milliseconds by which clocks may differ: access tokens of another node are refused beyond it. */
export const MAX_CLOCK_MS = 5_000;
/** Milliseconds without a beat after which a node counts as dead. */
export const DEAD_MS = 10_000;

interface ClocksElsewhereOptions {
  database: Pick<Database, 'query' | 'syntax'>;
  /** The node that looks. */
  nodeId: string;
}

/**
 * Returns the time of the database, in epoch ms, if the clock of this node is right by it; `null` when it is not, or when the
 * database is a file of the same machine.
 */
export async function rightTime({ clockAhead }: Pick<Database, 'clockAhead'>): Promise<number | null> {
  const aheadMs = await clockAhead();
  return aheadMs === undefined || Math.abs(aheadMs) > MAX_CLOCK_MS ? null : Date.now() + aheadMs;
}

/**
 * Tells a node whose clock is off whether others are right: their beats say so. Where none is, the clock of the database or the
 * source of all times is wrong. Without Redis there are no beats, and one node.
 */
export class ClocksElsewhere {
  readonly #options: ClocksElsewhereOptions;
  /** When the own clock was first seen to be off, by the database's. */
  #offSince: number | undefined;

  constructor(options: ClocksElsewhereOptions) {
    this.#options = options;
  }

  /** Forgets what was seen: the own clock is right. */
  reset(): void {
    this.#offSince = undefined;
  }

  /**
   * Resolves with whether another node has found its clock right since this one found its own off: all may have gone wrong at once.
   * `aheadMs` is by how much the database's clock is ahead.
   */
  async look(aheadMs: number): Promise<boolean> {
    const { database, nodeId } = this.#options;
    const now = Date.now() + aheadMs;
    // The database's clock may have been set back.
    this.#offSince = Math.min(this.#offSince ?? now, now);
    const since = Math.max(this.#offSince, now - DEAD_MS);
    const [id, from, to] = [1, 2, 3].map((position) => database.syntax.placeholder(position));
    const found = await database.query(
      `SELECT 1 AS one FROM announcing_nodes WHERE id <> ${id} AND right_at > ${from} AND right_at <= ${to} LIMIT 1`,
      [nodeId, since, now + MAX_CLOCK_MS],
    );
    return found.length > 0;
  }
}
