import { createHash } from 'node:crypto';
import { COMPLETED_READ, PAGE_VIEW } from '@fabrica/contract';
import { dayOf } from '../days.ts';
import { VALUES_PER_READER } from '../limits.ts';
import type { DayRow, Dimension, ReaderRow } from '../queries.ts';
import type { CleanEvent } from './clean-event.ts';
import type { ValueLimits } from './value-limits.ts';

export interface CountedEvent {
  event: CleanEvent;
  /** The id of the reader on the day of the request. */
  reader: string;
  /** The account that owns the row of the page; blank for a row without an owner, undefined for other pages. */
  owner: string | undefined;
}

const HASH_LENGTH = 8;
const MAX_SEEN_LENGTH = VALUES_PER_READER * (HASH_LENGTH + 1);

interface HashedDayRow extends DayRow {
  /** A hash of the row's key. */
  hash: string;
}

/** Sums up what a group of events adds to the daily counts. */
export class DayCounts {
  readonly #valueLimits: ValueLimits;
  readonly #rows = new Map<string, HashedDayRow>();
  /** The rows in which each reader has a view. */
  readonly #viewed = new Map<string, Set<HashedDayRow>>();

  constructor(valueLimits: ValueLimits) {
    this.#valueLimits = valueLimits;
  }

  add({ event, reader, owner }: CountedEvent): void {
    const day = dayOf(event.happenedAt);
    const viewed = this.#viewed.get(reader) ?? new Set();
    this.#viewed.set(reader, viewed);
    for (const scope of new Set(['', owner ?? ''])) {
      for (const [dimension, value] of valuesOf(event)) {
        // An owner has only as many pages as rows; clients can make up every other value.
        const isBounded = dimension === 'total' || (dimension === 'page' && owner !== undefined);
        const counted = isBounded ? value : this.#valueLimits.admit({ day, scope, dimension }, value);
        const row = this.#rowOf({ scope, dimension, day, value: counted });
        if (event.type === COMPLETED_READ) row.completed += 1;
        else {
          row.views += 1;
          viewed.add(row);
        }
      }
    }
  }

  readerIds(): string[] {
    return [...this.#viewed.keys()];
  }

  /** Counts each reader in the rows that do not have it yet. Takes the `seen` of known readers, returns those that changed. */
  countReaders(known: ReadonlyMap<string, string>): ReaderRow[] {
    const changed: ReaderRow[] = [];
    for (const [id, viewed] of this.#viewed) {
      const before = known.get(id) ?? '';
      let seen = before;
      for (const row of viewed) {
        if (before.includes(row.hash) || seen.length >= MAX_SEEN_LENGTH) continue;
        seen += ` ${row.hash}`;
        row.readers += 1;
      }
      if (seen !== before) changed.push({ id, seen });
    }
    return changed;
  }

  rows(): IterableIterator<DayRow> {
    return this.#rows.values();
  }

  #rowOf({ scope, dimension, day, value }: Pick<DayRow, 'scope' | 'dimension' | 'day' | 'value'>) {
    const key = JSON.stringify([scope, dimension, day, value]);
    let row = this.#rows.get(key);
    if (!row) {
      const hash = createHash('sha256').update(key).digest('base64url').slice(0, HASH_LENGTH);
      row = { scope, dimension, day, value, views: 0, readers: 0, completed: 0, hash };
      this.#rows.set(key, row);
    }
    return row;
  }
}

/** Returns whether events of this type are counted. All other types are only stored. */
export function isCounted({ type }: CleanEvent): boolean {
  return type === PAGE_VIEW || type === COMPLETED_READ;
}

function valuesOf({ pathname, language, channel, referrer }: CleanEvent): [Dimension, string][] {
  const values: [Dimension, string | null][] = [
    ['page', pathname],
    ['language', language],
    ['channel', channel],
    ['referrer', referrer],
  ];
  return [['total', ''], ...values.filter((pair): pair is [Dimension, string] => pair[1] !== null)];
}
