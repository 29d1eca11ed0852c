import { INSIGHT_ROWS, type InsightRow } from '@fabrica/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Scalar } from '../../../core/filter.ts';
import type { CountRule } from '../../../core/project.ts';
import type { Database } from '../../../database/index.ts';
import { DAY_MS, dayOf, startOfDay } from '../days.ts';
import type { Dimension } from '../queries.ts';

/** The SQL of insights. It reads the daily counts and never the events. */

export interface InsightRange {
  /** `YYYY-MM-DD`; both days are included. */
  from: string;
  to: string;
  /** The account that owns the pages; blank for all pages. */
  scope: string;
}

/** Runs a slow query as the database runs those of clients, so that it holds up no others. */
async function query(database: Database, statement: RawBuilder<unknown>) {
  const { sql: text, parameters } = statement.compile(database.reader);
  return database.query(text, parameters as readonly Scalar[]);
}

/** Returns a condition that limits the rows of a query, if the engine needs one. */
function rowBound({ syntax }: Database): RawBuilder<unknown> {
  return sql.raw(syntax.boundRows === undefined ? '' : `and ${syntax.boundRows}`);
}

const sums = sql`sum(views) as views, sum(readers) as readers, sum(completed) as completed`;

/** Returns the counts of each day that has any. */
export async function readDays(database: Database, { from, to, scope }: InsightRange): Promise<InsightRow[]> {
  const rows = await query(
    database,
    sql`select day as value, ${sums} from analytics_days
        where scope = ${scope} and dimension = 'total' and day between ${from} and ${to} ${rowBound(database)}
        group by day`,
  );
  return rows.map(presentRow);
}

/** Returns the counts of each value, most views first. */
export async function readValues(
  database: Database,
  { from, to, scope }: InsightRange,
  dimension: Dimension,
): Promise<InsightRow[]> {
  const rows = await query(
    database,
    sql`select value, ${sums} from analytics_days
        where scope = ${scope} and dimension = ${dimension} and day between ${from} and ${to}
          ${rowBound(database)}
        group by value order by 2 desc, 4 desc, 1 limit ${sql.lit(INSIGHT_ROWS)}`,
  );
  return rows.map(presentRow);
}

function presentRow({ value, views, readers, completed }: Record<string, Scalar>): InsightRow {
  return {
    value: String(value),
    views: Number(views),
    readers: Number(readers),
    completedReads: Number(completed),
  };
}

/** Returns the number of rows that were created on each day that has any. */
export async function countRows(
  database: Database,
  { from, to, scope }: InsightRange,
  { table, column, about }: CountRule,
): Promise<Map<string, number>> {
  const ownedBy =
    scope === ''
      ? sql``
      : sql`and counted.${sql.ref(column)} in (select id from ${sql.table(about)} where user_id = ${scope})`;
  const rows = await query(
    database,
    sql`select counted.created_at / ${sql.lit(DAY_MS)} as day, count(*) as total
        from ${sql.table(table)} as counted
        where counted.created_at >= ${startOfDay(from)} and counted.created_at < ${startOfDay(to) + DAY_MS}
          ${ownedBy} ${rowBound(database)}
        group by 1`,
  );
  return new Map(rows.map(({ day, total }) => [dayOf(Number(day) * DAY_MS), Number(total)]));
}
