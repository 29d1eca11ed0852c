import { setImmediate as pause, setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { EVENT_BYTES_PER_DAY, EVENTS_PER_GROUP, GROUP_WAIT_MS, MAX_WAITING_BYTES } from '../limits.ts';
import type { EventRow } from '../queries.ts';
import { createEventKeys } from '../row-keys.ts';
import type { CleanEvent } from './clean-event.ts';
import { createPageOf } from './page-of.ts';
import { createReaders, type ReaderDay, type ReaderFacts } from './readers.ts';
import { type Arrival, recordEvents } from './record-events.ts';
import { createValueCaps } from './value-caps.ts';

/** Seconds after which somebody who found no room may ask again. */
const ROOM_SECONDS = 5;
/** Bytes that a row takes besides its texts, and that it takes more while it waits. */
const ROW_BYTES = 100;
const WAITING_BYTES = 900;

export interface Ingest {
  /** Resolves once the events are on the disk. Throws DATABASE_UNAVAILABLE, STORAGE_FULL; nothing is stored then. */
  take(events: readonly CleanEvent[], reader: ReaderFacts, now: number): Promise<void>;
  /** Waits for what is under way; whatever comes after it is refused. */
  close(): Promise<void>;
}

interface Waiting {
  arrival: Arrival;
  done: () => void;
  failed: (error: unknown) => void;
}

export interface IngestOptions {
  /** Bytes of single events in a day; what comes above is counted all the same. */
  bytesPerDay?: number;
  /** Bytes of events that may wait. */
  bytesWaiting?: number;
}

/** Takes the events of one project. Those of many calls share a transaction, one at a time. */
export function createIngest(
  project: Project,
  { bytesPerDay = EVENT_BYTES_PER_DAY, bytesWaiting = MAX_WAITING_BYTES }: IngestOptions = {},
): Ingest {
  const readers = createReaders(project);
  const keyOf = createEventKeys();
  const options = {
    project,
    pageOf: createPageOf(project.definition.insights),
    caps: createValueCaps(),
  };
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let closed = false;
  let working: Promise<void> | undefined;
  let stored = { day: '', bytes: 0 };

  async function work(): Promise<void> {
    await wait(GROUP_WAIT_MS);
    while (waiting.length > 0) {
      const group = takeGroup();
      try {
        await recordEvents(
          group.map(({ arrival }) => arrival),
          options,
        );
        for (const { done } of group) done();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    working = undefined;
  }

  function takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    for (let events = 0; events < EVENTS_PER_GROUP; ) {
      const next = waiting.shift();
      if (!next) break;
      events += next.arrival.events.length;
      group.push(next);
    }
    for (const { arrival } of group) waitingBytes -= weightOf(arrival.events);
    return group;
  }

  /** As long as there is room for the day's. */
  function rowsOf(events: readonly CleanEvent[], { day, hashVisit }: ReaderDay, now: number): EventRow[] {
    if (stored.day !== day) stored = { day, bytes: 0 };
    const rows: EventRow[] = [];
    for (const event of events) {
      if (stored.bytes > bytesPerDay) break;
      const row = rowOf(event, keyOf(now), event.visit === null ? null : hashVisit(event.visit));
      stored.bytes += bytesOf([event]);
      rows.push(row);
    }
    return rows;
  }

  return {
    async take(events, facts, now) {
      const bytes = weightOf(events);
      if (closed || waitingBytes + bytes > bytesWaiting) {
        const why = closed ? 'This server is being stopped.' : 'Too many events wait to be stored.';
        throw new AppError('DATABASE_UNAVAILABLE', why, { retryAfter: ROOM_SECONDS });
      }
      waitingBytes += bytes;
      const readerDay = await readers.on(now).catch((error) => {
        waitingBytes -= bytes;
        throw error;
      });
      const arrival: Arrival = {
        day: readerDay.day,
        reader: readerDay.hash(facts),
        events,
        rows: rowsOf(events, readerDay, now),
      };
      await new Promise<void>((done, failed) => {
        waiting.push({ arrival, done, failed });
        working ??= work();
      });
    },
    async close() {
      closed = true;
      // Those that still wait for the day's salt are on their way to the others.
      while (working || waitingBytes > 0) await (working ?? pause());
    },
  };
}

/** Roughly the bytes that they take while they wait … */
function weightOf(events: readonly CleanEvent[]): number {
  return bytesOf(events) + events.length * WAITING_BYTES;
}

/** … and on the disk. */
function bytesOf(events: readonly CleanEvent[]): number {
  let bytes = 0;
  for (const { type, pathname, referrer, properties } of events) {
    bytes += ROW_BYTES + type.length;
    bytes += (pathname?.length ?? 0) + (referrer?.length ?? 0) + (properties?.length ?? 0);
  }
  return bytes;
}

function rowOf(event: CleanEvent, id: string, visit: string | null): EventRow {
  return {
    id,
    type: event.type,
    happened_at: event.happenedAt,
    visit,
    pathname: event.pathname,
    referrer: event.referrer,
    language: event.language,
    channel: event.channel,
    screen_width: event.screenWidth,
    properties: event.properties,
  };
}
