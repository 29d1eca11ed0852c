import { createHash, randomBytes } from 'node:crypto';
import type { Project } from '../../../database/project.ts';
import { dayOf } from '../days.ts';
import { takeSalt } from '../queries.ts';

/** Identifies a reader within a day. */
export interface Reader {
  ipAddress: string;
  userAgent: string;
}

/** The hashes of one day. */
export interface DayHashes {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  hashReader(reader: Reader): string;
  /** Hashes the id that the client gave to a visit. */
  hashVisit(visit: string): string;
}

const HASH_LENGTH = 10;

/**
 * Hashes the IP address and user agent of readers with a random salt, which all nodes share through the database. The
 * salt is deleted when its day is over, so that no reader can be recognised on another day or identified afterwards.
 */
export class ReaderHashes {
  readonly #project: Project;
  #current: { day: string; hashes: Promise<DayHashes> } | undefined;

  constructor(project: Project) {
    this.#project = project;
  }

  /** Returns the hashes of the day of this time (epoch ms). */
  on(now: number): Promise<DayHashes> {
    const day = dayOf(now);
    if (this.#current?.day !== day) {
      const opening = { day, hashes: this.#open(day) };
      this.#current = opening;
      opening.hashes.catch(() => {
        if (this.#current === opening) this.#current = undefined;
      });
    }
    return this.#current.hashes;
  }

  async #open(day: string): Promise<DayHashes> {
    const { database, definition } = this.#project;
    const salt = await takeSalt(database, { day, salt: randomBytes(32).toString('base64url') });
    const hash = (...parts: readonly string[]) =>
      createHash('sha256')
        .update([salt, definition.id, ...parts].join('\0'))
        .digest('base64url')
        .slice(0, HASH_LENGTH);
    return {
      day,
      hashReader: ({ ipAddress, userAgent }) => hash('reader', ipAddress, userAgent),
      hashVisit: (visit) => hash('visit', visit),
    };
  }
}
