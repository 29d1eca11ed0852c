import { createHash } from 'node:crypto';
import { COMPLETED_READ, PAGE_VIEW } from '@fabrica/contract';
import { dayOf } from '../days.ts';
import { VALUES_OF_READER } from '../limits.ts';
import type { DayRow, Dimension, ReaderRow } from '../queries.ts';
import type { CleanEvent } from './clean-event.ts';
import type { ValueCaps } from './value-caps.ts';

/** What a group of events adds to the days. */
export interface Tally {
  add(event: CleanEvent, whose: CountedFor): void;
  /** The ids of all readers. */
  readers(): string[];
  /** Counts those that are new, by what is known of them; answers what is known from now on, where that is more. */
  countReaders(known: ReadonlyMap<string, string>): ReaderRow[];
  rows(): IterableIterator<DayRow>;
}

export interface CountedFor {
  /** The id of the reader, for the day it came on. */
  reader: string;
  /** The account whose page it is; blank for a row of nobody's, undefined for what is no row's page. */
  owner: string | undefined;
}

const HASH_LENGTH = 8;
const MAX_SEEN_LENGTH = VALUES_OF_READER * (HASH_LENGTH + 1);

interface TallyRow extends DayRow {
  /** Of what it counts. */
  hash: string;
}

export function createTally(admit: ValueCaps['admit']): Tally {
  const rows = new Map<string, TallyRow>();
  const rowsOf = new Map<string, Set<TallyRow>>();

  function rowOf(scope: string, dimension: Dimension, day: string, value: string) {
    const key = JSON.stringify([scope, dimension, day, value]);
    let row = rows.get(key);
    if (!row) {
      const hash = createHash('sha256').update(key).digest('base64url').slice(0, HASH_LENGTH);
      row = { scope, dimension, day, value, views: 0, readers: 0, completed: 0, hash };
      rows.set(key, row);
    }
    return row;
  }

  return {
    add(event, { reader, owner }) {
      const day = dayOf(event.happenedAt);
      const values = valuesOf(event);
      const read = rowsOf.get(reader) ?? new Set();
      rowsOf.set(reader, read);
      for (const scope of new Set(['', owner ?? ''])) {
        for (const [dimension, value] of values) {
          // There are no more pages of somebody's than there are rows; everything else may be made up.
          const isSure = dimension === 'total' || (dimension === 'page' && owner !== undefined);
          const counted = isSure ? value : admit(day, scope, dimension, value);
          const row = rowOf(scope, dimension, day, counted);
          if (event.type === COMPLETED_READ) row.completed += 1;
          else {
            row.views += 1;
            read.add(row);
          }
        }
      }
    },
    readers: () => [...rowsOf.keys()],
    countReaders(known) {
      const changed: ReaderRow[] = [];
      for (const [id, read] of rowsOf) {
        const before = known.get(id) ?? '';
        let seen = before;
        for (const row of read) {
          if (before.includes(row.hash) || seen.length >= MAX_SEEN_LENGTH) continue;
          seen += ` ${row.hash}`;
          row.readers += 1;
        }
        if (seen !== before) changed.push({ id, seen });
      }
      return changed;
    },
    rows: () => rows.values(),
  };
}

/** Only these count; others are kept as they are. */
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
