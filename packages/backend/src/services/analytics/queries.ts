import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/index.ts';
import { ROWS_PER_STEP } from './limits.ts';

/**
 * All SQL that writes analytics. Any number of rows go to the database as one JSON array, so that they need one statement
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

/** The counts of one value on one day. */
export interface DayRow {
  /** The account that owns the pages; blank for all pages. */
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

/** A reader of the current day. */
export interface ReaderRow {
  /** The day, and the reader's hash of that day. */
  id: string;
  /** Hashes of the values that the reader is counted under, with a space before each. */
  seen: string;
}

interface AnalyticsTables {
  analytics_events: EventRow;
  analytics_days: DayRow;
  analytics_readers: ReaderRow;
  analytics_salts: { day: string; salt: string };
}

/** A connection, and the SQL syntax of its engine. */
export interface AnalyticsConnection {
  run: Kysely<AnalyticsTables>;
  syntax: Database['syntax'];
}

const readerOf = ({ reader }: Database) => reader as Kysely<AnalyticsTables>;

/** Writes in a transaction that invalidates no cache: no cached response contains these tables. */
export function writeQuietly<T>(
  database: Database,
  write: (connection: AnalyticsConnection) => Promise<T>,
): Promise<T> {
  return database.quietly((transaction) =>
    write({ run: transaction as Kysely<unknown> as Kysely<AnalyticsTables>, syntax: database.syntax }),
  );
}

/** Returns rows as a FROM clause, whose fields are `item.value ->> 0` and so on. */
function items({ syntax }: AnalyticsConnection, rows: readonly (readonly unknown[])[]): RawBuilder<unknown> {
  return sql`${sql.raw(syntax.jsonElements)}(${JSON.stringify(rows)}) as item`;
}

const field = (index: number) => sql`item.value ->> ${sql.lit(index)}`;
const number = (index: number) => sql`cast(${field(index)} as bigint)`;

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

/** Returns the `seen` of these readers, by id. */
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

/** Returns the owners of these rows, by row id; blank for a row without an owner. */
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

/** Returns the values that some scopes have on a day. */
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

/** Returns the day's salt, and stores the given one if there is none yet. */
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

/** Returns how often these pages were viewed, as far back as days are kept. */
export async function countPageViews(
  database: Database,
  pages: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (pages.length === 0) return new Map();
  const rows = await readerOf(database)
    .selectFrom('analytics_days')
    .select(({ fn }) => ['value', fn.sum<number>('views').as('views')])
    .where('scope', '=', '')
    .where('dimension', '=', 'page')
    .where('value', 'in', [...pages])
    .groupBy('value')
    .execute();
  return new Map(rows.map(({ value, views }) => [value, Number(views)]));
}

/** Deletes the salts of earlier days. */
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

/** Deletes some of the rows with smaller ids; returns whether there may be more. */
export async function deleteSome(
  database: Database,
  table: 'analytics_events' | 'analytics_readers',
  before: string,
): Promise<boolean> {
  const some = sql`select id from ${sql.table(table)} where id < ${before}
                   order by id limit ${sql.lit(ROWS_PER_STEP)}`;
  // There is mostly nothing to delete, which a read finds out without occupying the writer.
  if ((await some.execute(database.reader)).rows.length === 0) return false;
  return writeQuietly(database, async ({ run }) => {
    const { rows } = await sql`delete from ${sql.table(table)} where id in (${some}) returning id`.execute(
      run,
    );
    return rows.length === ROWS_PER_STEP;
  });
}

/** Deletes the counts of an account's pages, within the transaction that deletes the account. */
export async function deleteCountsOf(transaction: QueryExecutorProvider, userId: string): Promise<void> {
  await sql`delete from analytics_days where scope = ${userId}`.execute(transaction);
}
