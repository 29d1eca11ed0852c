import type { Project } from '../../../database/project.ts';
import { dayOf } from '../days.ts';
import {
  type AnalyticsConnection,
  addToDays,
  type EventRow,
  findOwners,
  findReaders,
  insertEvents,
  putReaders,
  writeQuietly,
} from '../queries.ts';
import { readerPrefix } from '../row-keys.ts';
import type { CleanEvent } from './clean-event.ts';
import type { PageOf, RowPage } from './page-of.ts';
import { createTally, isCounted } from './tally.ts';
import type { ValueCaps } from './value-caps.ts';

/** The events of one call. */
export interface Arrival {
  /** The day it came on, `YYYY-MM-DD`. */
  day: string;
  /** A hash of that day. */
  reader: string;
  events: readonly CleanEvent[];
  /** Those of them that are kept one by one. */
  rows: readonly EventRow[];
}

export interface RecordOptions {
  project: Project;
  pageOf: PageOf;
  caps: ValueCaps;
}

/** Stores events and what they add up to: all of it or nothing. */
export function recordEvents(arrivals: readonly Arrival[], options: RecordOptions): Promise<void> {
  const { project, pageOf, caps } = options;
  return writeQuietly(project.database, async (connection) => {
    await insertEvents(
      connection,
      arrivals.flatMap(({ rows }) => rows),
    );
    const happened = arrivals.flatMap(({ day, reader, events }) =>
      events.filter(isCounted).map((event) => ({
        event,
        reader: readerPrefix(day) + reader,
        page: event.pathname === null ? undefined : pageOf(event.pathname),
      })),
    );
    const ownerOf = await ownersOf(
      connection,
      happened.map(({ page }) => page),
    );
    const counted = happened.flatMap(({ event, reader, page }) => {
      const owner = page && ownerOf(page);
      // What a page shows that is not there is no page.
      return page && owner === undefined ? [] : [{ event, whose: { reader, owner } }];
    });
    const scopes = new Map<string, Set<string>>();
    for (const { event, whose } of counted) {
      const day = dayOf(event.happenedAt);
      const ofDay = scopes.get(day) ?? new Set(['']);
      scopes.set(day, ofDay);
      if (whose.owner !== undefined) ofDay.add(whose.owner);
    }
    await caps.load(connection, scopes);
    const tally = createTally(caps.admit);
    for (const { event, whose } of counted) tally.add(event, whose);
    const known = await findReaders(connection, tally.readers());
    await putReaders(connection, tally.countReaders(known));
    await addToDays(connection, tally.rows());
  });
}

/** Looked up within the transaction: a row or an account that is gone is not counted for. */
async function ownersOf(connection: AnalyticsConnection, pages: readonly (RowPage | undefined)[]) {
  const wanted = new Map<string, Set<string>>();
  for (const page of pages) {
    if (!page) continue;
    const ids = wanted.get(page.table) ?? new Set();
    wanted.set(page.table, ids.add(page.id));
  }
  const owners = new Map<string, Map<string, string>>();
  for (const [table, ids] of wanted) owners.set(table, await findOwners(connection, table, [...ids]));
  return ({ table, id }: RowPage) => owners.get(table)?.get(id);
}
