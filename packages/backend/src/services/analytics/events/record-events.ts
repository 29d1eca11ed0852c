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
import { readerIdPrefix } from '../row-ids.ts';
import type { CleanEvent } from './clean-event.ts';
import { type CountedEvent, DayCounts, isCounted } from './day-counts.ts';
import type { MatchPage, RowPage } from './match-page.ts';
import type { ValueLimits } from './value-limits.ts';

/** The events of one request. */
export interface EventBatch {
  /** The day of the request, `YYYY-MM-DD`. */
  day: string;
  /** The hash of the reader on that day. */
  reader: string;
  events: readonly CleanEvent[];
  /** The rows of those events that are stored one by one. */
  rows: readonly EventRow[];
}

export interface RecordOptions {
  project: Project;
  matchPage: MatchPage;
  valueLimits: ValueLimits;
}

/** Stores the events and adds them to the daily counts, in one transaction. */
export function recordEvents(
  batches: readonly EventBatch[],
  { project, matchPage, valueLimits }: RecordOptions,
): Promise<void> {
  return writeQuietly(project.database, async (connection) => {
    await insertEvents(
      connection,
      batches.flatMap(({ rows }) => rows),
    );
    const counted = await findCounted(connection, batches, matchPage);
    await valueLimits.load(connection, scopesByDay(counted));
    const counts = new DayCounts(valueLimits);
    for (const one of counted) counts.add(one);
    const known = await findReaders(connection, counts.readerIds());
    await putReaders(connection, counts.countReaders(known));
    await addToDays(connection, counts.rows());
  });
}

/** Returns the events to count with their owners, without those of pages whose row does not exist. */
async function findCounted(
  connection: AnalyticsConnection,
  batches: readonly EventBatch[],
  matchPage: MatchPage,
): Promise<CountedEvent[]> {
  const events = batches.flatMap(({ day, reader, events }) =>
    events.filter(isCounted).map((event) => ({
      event,
      reader: readerIdPrefix(day) + reader,
      page: event.pathname === null ? undefined : matchPage(event.pathname),
    })),
  );
  const ownerOf = await readOwners(
    connection,
    events.map(({ page }) => page),
  );
  return events.flatMap(({ event, reader, page }) => {
    const owner = page && ownerOf(page);
    return page && owner === undefined ? [] : [{ event, reader, owner }];
  });
}

/** Reads owners within the transaction, so that no counts are added for an account that is being deleted. */
async function readOwners(connection: AnalyticsConnection, pages: readonly (RowPage | undefined)[]) {
  const idsByTable = new Map<string, Set<string>>();
  for (const page of pages) {
    if (!page) continue;
    const ids = idsByTable.get(page.table) ?? new Set();
    idsByTable.set(page.table, ids.add(page.id));
  }
  const owners = new Map<string, Map<string, string>>();
  for (const [table, ids] of idsByTable) owners.set(table, await findOwners(connection, table, [...ids]));
  return ({ table, id }: RowPage) => owners.get(table)?.get(id);
}

function scopesByDay(counted: readonly CountedEvent[]): Map<string, Set<string>> {
  const scopes = new Map<string, Set<string>>();
  for (const { event, owner } of counted) {
    const day = dayOf(event.happenedAt);
    const ofDay = scopes.get(day) ?? new Set(['']);
    scopes.set(day, ofDay);
    if (owner !== undefined) ofDay.add(owner);
  }
  return scopes;
}
