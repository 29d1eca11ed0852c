import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/index.ts';
import { ROWS_PER_STEP } from './limits.ts';

/**
 * All SQL of analytics. Many rows go to the database as one JSON array each: one statement, however many there are,
 * with one parameter.
 */

export type Dimension = 'total' | 'page' | 'language' | 'channel' | 'referrer';

export interface EventRow {
  id: string;
  type: string;
  /** Epoch ms. */
  happened_at: number;
  visit: string | null;
  pathname: string | null;
  referrer: string | null;
  language: string | null;
  channel: string | null;
  screen_width: number | null;
  /** JSON. */
  properties: string | null;
}

/** What is counted under one value. */
export interface DayRow {
  /** Whose pages: an account's id; blank for everybody's. */
  scope: string;
  dimension: Dimension;
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** Blank for `total`. */
  value: string;
  views: number;
  readers: number;
  completed: number;
}

/** A reader of a day that is not over. */
export interface ReaderRow {
  /** The day, and a hash that is of that day alone. */
  id: string;
  /** Hashes of what it has been counted under, with a space before each. */
  seen: string;
}

export interface AnalyticsTables {
  analytics_events: EventRow;
  analytics_days: DayRow;
  analytics_readers: ReaderRow;
  analytics_salts: { day: string; salt: string };
}

/** A connection, and how its engine is written. */
export interface AnalyticsConnection {
  run: Kysely<AnalyticsTables>;
  syntax: Database['syntax'];
}

const readerOf = ({ reader }: Database) => reader as Kysely<AnalyticsTables>;

/** Has `act` write in a transaction that makes nothing stale: no answer that is kept is made of these tables. */
export function writeQuietly<T>(
  database: Database,
  act: (connection: AnalyticsConnection) => Promise<T>,
): Promise<T> {
  return database.quietly((transaction) =>
    act({ run: transaction as Kysely<unknown> as Kysely<AnalyticsTables>, syntax: database.syntax }),
  );
}

/** `rows` as a FROM: their fields are `item.value ->> 0`, and so on. */
function items({ syntax }: AnalyticsConnection, rows: readonly (readonly unknown[])[]): RawBuilder<unknown> {
  return sql`${sql.raw(syntax.jsonElements)}(${JSON.stringify(rows)}) as item`;
}

const field = (place: number) => sql`item.value ->> ${sql.lit(place)}`;
const number = (place: number) => sql`cast(${field(place)} as bigint)`;

export async function insertEvents(
  connection: AnalyticsConnection,
  events: readonly EventRow[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => [
    ...[event.id, event.type, event.happened_at, event.visit, event.pathname, event.referrer],
    ...[event.language, event.channel, event.screen_width, event.properties],
  ]);
  await sql`
    insert into analytics_events (id, type, happened_at, visit, pathname, referrer,
                                  language, channel, screen_width, properties)
    select ${field(0)}, ${field(1)}, ${number(2)}, ${field(3)}, ${field(4)}, ${field(5)},
           ${field(6)}, ${field(7)}, ${number(8)}, ${field(9)}
    from ${items(connection, rows)}`.execute(connection.run);
}

/** What these readers have been counted under so far. */
export async function findReaders(
  connection: AnalyticsConnection,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<ReaderRow>`
    select id, seen from analytics_readers
    where id in (select ${field(0)} from ${items(connection, ids.map(one))})`.execute(connection.run);
  return new Map(rows.map(({ id, seen }) => [id, seen]));
}

export async function putReaders(
  connection: AnalyticsConnection,
  readers: readonly ReaderRow[],
): Promise<void> {
  if (readers.length === 0) return;
  const rows = readers.map(({ id, seen }) => [id, seen]);
  await sql`
    insert into analytics_readers (id, seen) select ${field(0)}, ${field(1)} from ${items(connection, rows)}
    where true on conflict (id) do update set seen = excluded.seen`.execute(connection.run);
}

export async function addToDays(connection: AnalyticsConnection, days: Iterable<DayRow>): Promise<void> {
  const rows = Array.from(days, (row) => [
    ...[row.scope, row.dimension, row.day, row.value, row.views, row.readers, row.completed],
  ]);
  if (rows.length === 0) return;
  await sql`
    insert into analytics_days (scope, dimension, day, value, views, readers, completed)
    select ${field(0)}, ${field(1)}, ${field(2)}, ${field(3)}, ${number(4)}, ${number(5)}, ${number(6)}
    from ${items(connection, rows)} where true
    on conflict (scope, dimension, day, value) do update set
      views = analytics_days.views + excluded.views,
      readers = analytics_days.readers + excluded.readers,
      completed = analytics_days.completed + excluded.completed`.execute(connection.run);
}

/** Whose the rows of these ids are; blank for nobody's. */
export async function findOwners(
  connection: AnalyticsConnection,
  table: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; user_id: string | null }>`
    select id, user_id from ${sql.table(table)}
    where id in (select ${field(0)} from ${items(connection, ids.map(one))})`.execute(connection.run);
  return new Map(rows.map(({ id, user_id }) => [id, user_id ?? '']));
}

/** What is counted apart on a day, for some scopes. */
export async function findValues(
  connection: AnalyticsConnection,
  day: string,
  scopes: readonly string[],
): Promise<Pick<DayRow, 'scope' | 'dimension' | 'value'>[]> {
  const { rows } = await sql<Pick<DayRow, 'scope' | 'dimension' | 'value'>>`
    select scope, dimension, value from analytics_days
    where day = ${day} and dimension in ('page', 'language', 'channel', 'referrer')
      and scope in (select ${field(0)} from ${items(connection, scopes.map(one))})`.execute(connection.run);
  return rows;
}

const one = (value: string) => [value];

/** The day's salt: this one, unless there is one already. */
export async function takeSalt(
  database: Database,
  { day, salt }: AnalyticsTables['analytics_salts'],
): Promise<string> {
  const find = (connection: Kysely<AnalyticsTables>) =>
    connection.selectFrom('analytics_salts').select('salt').where('day', '=', day).executeTakeFirst();
  const known = await find(readerOf(database));
  if (known) return known.salt;
  return writeQuietly(database, async ({ run }) => {
    await run
      .insertInto('analytics_salts')
      .values({ day, salt })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute();
    return (await find(run))?.salt ?? salt;
  });
}

/** Forgets salts of other days than this one. */
export async function deleteSalts(database: Database, before: string): Promise<void> {
  const old = await readerOf(database)
    .selectFrom('analytics_salts')
    .select('day')
    .where('day', '<', before)
    .executeTakeFirst();
  if (!old) return;
  await writeQuietly(database, ({ run }) =>
    run.deleteFrom('analytics_salts').where('day', '<', before).execute(),
  );
}

/** Deletes some of the rows whose ids come before this one; answers whether there may be more. */
export async function deleteSome(
  database: Database,
  table: 'analytics_events' | 'analytics_readers',
  before: string,
): Promise<boolean> {
  const some = sql`select id from ${sql.table(table)} where id < ${before}
                   order by id limit ${sql.lit(ROWS_PER_STEP)}`;
  // Most looks find nothing: they are no business of the writer's.
  if ((await some.execute(database.reader)).rows.length === 0) return false;
  return writeQuietly(database, async ({ run }) => {
    const { rows } = await sql`delete from ${sql.table(table)} where id in (${some}) returning id`.execute(
      run,
    );
    return rows.length === ROWS_PER_STEP;
  });
}

/** Forgets what was counted for an account, within the transaction that deletes it. */
export async function forgetReadersOf(transaction: QueryExecutorProvider, userId: string): Promise<void> {
  await sql`delete from analytics_days where scope = ${userId}`.execute(transaction);
}
