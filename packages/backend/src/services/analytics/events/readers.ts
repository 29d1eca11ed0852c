import { createHash, randomBytes } from 'node:crypto';
import type { Project } from '../../../database/project.ts';
import { dayOf } from '../days.ts';
import { takeSalt } from '../queries.ts';

/** What tells readers apart. */
export interface ReaderFacts {
  address: string;
  userAgent: string;
}

/** The day that something came on, and how its readers are told apart on it. */
export interface ReaderDay {
  day: string;
  /** Of a reader; the same for the whole day, and another one the next day. */
  hash(facts: ReaderFacts): string;
  /** Of a client's id of a visit. */
  hashVisit(visit: string): string;
}

const HASH_LENGTH = 10;

/**
 * Readers of one day are told apart by a hash of their address and user agent with a salt, which is random, shared by
 * all nodes through the database, and gone when the day is over: nobody can be followed from one day to the next, and
 * what was stored by it cannot be traced back to anybody.
 */
export function createReaders(project: Project) {
  let known: Promise<ReaderDay> | undefined;
  let knownDay = '';
  const { id } = project.definition;

  async function open(day: string): Promise<ReaderDay> {
    const salt = await takeSalt(project.database, { day, salt: randomBytes(32).toString('base64url') });
    const hash = (...parts: readonly string[]) =>
      createHash('sha256')
        .update([salt, id, ...parts].join('\0'))
        .digest('base64url')
        .slice(0, HASH_LENGTH);
    return {
      day,
      hash: ({ address, userAgent }) => hash('reader', address, userAgent),
      hashVisit: (visit) => hash('visit', visit),
    };
  }

  return {
    on(now: number): Promise<ReaderDay> {
      const day = dayOf(now);
      if (!known || day !== knownDay) {
        const opening = open(day);
        known = opening;
        knownDay = day;
        opening.catch(() => {
          if (known === opening) known = undefined;
        });
      }
      return known;
    },
  };
}

export type Readers = ReturnType<typeof createReaders>;
