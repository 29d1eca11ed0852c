import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { sqlState } from '../postgres-error.ts';
import type { SqlQuery } from './session.ts';

/** Statements that are named: each connection keeps what it has parsed of them. */
const MAX_NAMED = 200;
/** Statements whose uses are counted, and characters of one that is named. */
const MAX_COUNTED = 1_000;
const LONGEST_NAMED = 20_000;
/** Uses after which a statement is likely to come again. */
const USES_BEFORE = 2;

/**
 * Names the statements that come again and again, which each connection then parses once, and plans at most a few times. The
 * planning of a list takes longer than the list.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #uses = new LRUCache<string, number>({ max: MAX_COUNTED });
  #generation = 0;

  /** Returns the statement with a name, if it is one that has come before. */
  named(query: SqlQuery): SqlQuery {
    const name = this.#nameOf(query.text);
    return name === undefined ? query : { ...query, name };
  }

  /**
   * Returns whether a statement failed because columns of its tables have changed since it was prepared. Then all statements get
   * new names, and it may be run again.
   */
  renewAfter(error: unknown): boolean {
    if (sqlState(error) !== '0A000') return false;
    this.#generation += 1;
    this.#names.clear();
    return true;
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || text.length > LONGEST_NAMED || this.#names.size >= MAX_NAMED) return known;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    if (uses <= USES_BEFORE) return undefined;
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const name = `${this.#generation}_${hash}`;
    this.#names.set(text, name);
    return name;
  }
}
