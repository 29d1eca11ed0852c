import type { Database } from '../../database/port.ts';

/** Milliseconds after the primary was lost in which the replica may still replay what was written before. */
const SETTLED_MS = 2_000;
const BEATS = 'SELECT id, beat FROM announcing_nodes ORDER BY id';

/**
 * Tells a node that has lost the primary whether others still reach it: a replica that goes on getting beats of nodes gets them
 * from a primary that somebody writes to. Without Redis there are no beats, and one node.
 */
export class BeatsElsewhere {
  readonly #database: Pick<Database, 'query'>;
  /** What the replica had when the primary was lost, and when that was. */
  #lost: { at: number; beats: string } | undefined;

  constructor(database: Pick<Database, 'query'>) {
    this.#database = database;
  }

  /** Forgets what was seen: the primary responds. */
  reset(): void {
    this.#lost = undefined;
  }

  /** Reads the replica. Resolves with whether there were beats since the primary was lost; rejects when the replica is away too. */
  async look(): Promise<boolean> {
    const beats = JSON.stringify(await this.#database.query(BEATS, [], { anonymous: true }));
    const now = performance.now();
    if (this.#lost && now - this.#lost.at > SETTLED_MS) return beats !== this.#lost.beats;
    this.#lost = { at: this.#lost?.at ?? now, beats };
    return false;
  }
}
