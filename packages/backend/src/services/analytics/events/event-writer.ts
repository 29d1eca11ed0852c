import { setImmediate as pause, setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { EVENT_BYTES_PER_DAY, EVENTS_PER_TRANSACTION, GROUP_WAIT_MS, MAX_WAITING_BYTES } from '../limits.ts';
import type { EventRow } from '../queries.ts';
import { createEventIds } from '../row-ids.ts';
import type { CleanEvent } from './clean-event.ts';
import { createPageMatcher } from './match-page.ts';
import { type DayHashes, type Reader, ReaderHashes } from './reader-hashes.ts';
import { type EventBatch, type RecordOptions, recordEvents } from './record-events.ts';
import { ValueLimits } from './value-limits.ts';

/** Seconds after which a client may try again when too many events wait. */
const RETRY_SECONDS = 5;
/** Bytes of a row besides its texts, and the additional bytes while it waits. */
const ROW_BYTES = 100;
const WAITING_BYTES = 900;

export interface EventWriterOptions {
  /** Bytes of single events that are stored in a day; events above that are only counted. */
  bytesPerDay?: number;
  /** Bytes of events that may wait. */
  bytesWaiting?: number;
}

interface WaitingBatch {
  batch: EventBatch;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Stores the events of one project. Requests share transactions, of which one runs at a time. */
export class EventWriter {
  readonly #bytesPerDay: number;
  readonly #bytesWaiting: number;
  readonly #hashes: ReaderHashes;
  readonly #newEventId = createEventIds();
  readonly #recording: RecordOptions;
  readonly #waiting: WaitingBatch[] = [];
  #waitingBytes = 0;
  #stored = { day: '', bytes: 0 };
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(project: Project, options: EventWriterOptions = {}) {
    this.#bytesPerDay = options.bytesPerDay ?? EVENT_BYTES_PER_DAY;
    this.#bytesWaiting = options.bytesWaiting ?? MAX_WAITING_BYTES;
    this.#hashes = new ReaderHashes(project);
    const matchPage = createPageMatcher(project.definition.insights);
    this.#recording = { project, matchPage, valueLimits: new ValueLimits() };
  }

  /** Resolves once the events are on the disk. Throws DATABASE_UNAVAILABLE or STORAGE_FULL; nothing is stored then. */
  async write(events: readonly CleanEvent[], reader: Reader, now: number): Promise<void> {
    const bytes = waitingBytesOf(events);
    if (this.#closed || this.#waitingBytes + bytes > this.#bytesWaiting) {
      const why = this.#closed ? 'This server is being stopped.' : 'Too many events wait to be stored.';
      throw new AppError('DATABASE_UNAVAILABLE', why, { retryAfter: RETRY_SECONDS });
    }
    this.#waitingBytes += bytes;
    const hashes = await this.#hashes.on(now).catch((error) => {
      this.#waitingBytes -= bytes;
      throw error;
    });
    const batch: EventBatch = {
      day: hashes.day,
      reader: hashes.hashReader(reader),
      events,
      rows: this.#rowsOf(events, hashes, now),
    };
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when all accepted events are stored. Events that come later are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    // Requests that still wait for the day's salt have reserved bytes, but are not in a group yet.
    while (this.#writing || this.#waitingBytes > 0) await (this.#writing ?? pause());
  }

  async #writeAll(): Promise<void> {
    await wait(GROUP_WAIT_MS);
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        await recordEvents(
          group.map(({ batch }) => batch),
          this.#recording,
        );
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#writing = undefined;
  }

  #takeGroup(): WaitingBatch[] {
    const group: WaitingBatch[] = [];
    for (let events = 0; events < EVENTS_PER_TRANSACTION; ) {
      const next = this.#waiting.shift();
      if (!next) break;
      events += next.batch.events.length;
      group.push(next);
    }
    for (const { batch } of group) this.#waitingBytes -= waitingBytesOf(batch.events);
    return group;
  }

  /** Returns the rows of the events that the day still has room for. */
  #rowsOf(events: readonly CleanEvent[], { day, hashVisit }: DayHashes, now: number): EventRow[] {
    if (this.#stored.day !== day) this.#stored = { day, bytes: 0 };
    const rows: EventRow[] = [];
    for (const event of events) {
      if (this.#stored.bytes > this.#bytesPerDay) break;
      const visit = event.visit === null ? null : hashVisit(event.visit);
      rows.push(toRow(event, this.#newEventId(now), visit));
      this.#stored.bytes += storedBytesOf([event]);
    }
    return rows;
  }
}

/** Estimates the memory that events take while they wait. */
function waitingBytesOf(events: readonly CleanEvent[]): number {
  return storedBytesOf(events) + events.length * WAITING_BYTES;
}

/** Estimates the bytes of events on the disk. */
function storedBytesOf(events: readonly CleanEvent[]): number {
  let bytes = 0;
  for (const { type, pathname, referrer, properties } of events) {
    bytes += ROW_BYTES + type.length;
    bytes += (pathname?.length ?? 0) + (referrer?.length ?? 0) + (properties?.length ?? 0);
  }
  return bytes;
}

function toRow(event: CleanEvent, id: string, visit: string | null): EventRow {
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
