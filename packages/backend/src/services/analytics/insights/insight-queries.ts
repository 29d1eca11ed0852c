import { INSIGHT_ROWS, type InsightRow } from '@fabrica/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Scalar } from '../../../core/filter.ts';
import type { CountRule } from '../../../core/project.ts';
import type { Database } from '../../../database/index.ts';
import { DAY_MS, dayOf, startOf } from '../days.ts';
import type { Dimension } from '../queries.ts';

/** The SQL of insights: it reads what events add up to, never the events. */

export interface InsightRange {
  /** `YYYY-MM-DD`, both being among the days. */
  from: string;
  to: string;
  /** Whose pages: an account's id; blank for everybody's. */
  scope: string;
}

/** As a client's question is asked, which may take its time without holding up others. */
async function ask(database: Database, statement: RawBuilder<unknown>) {
  const { sql: text, parameters } = statement.compile(database.reader);
  return database.query(text, parameters as readonly Scalar[]);
}

/** Behind a WHERE. */
function bounded({ syntax }: Database): RawBuilder<unknown> {
  return sql.raw(syntax.boundRows === undefined ? '' : `and ${syntax.boundRows}`);
}

const sums = sql`sum(views) as views, sum(readers) as readers, sum(completed) as completed`;

/** By day, of those on which there was anything. */
export async function readDays(database: Database, { from, to, scope }: InsightRange): Promise<InsightRow[]> {
  const rows = await ask(
    database,
    sql`select day as value, ${sums} from analytics_days
        where scope = ${scope} and dimension = 'total' and day between ${from} and ${to} ${bounded(database)}
        group by day`,
  );
  return rows.map(presentRow);
}

/** Most views first. */
export async function readValues(
  database: Database,
  { from, to, scope }: InsightRange,
  dimension: Dimension,
): Promise<InsightRow[]> {
  const rows = await ask(
    database,
    sql`select value, ${sums} from analytics_days
        where scope = ${scope} and dimension = ${dimension} and day between ${from} and ${to}
          ${bounded(database)}
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

/** How many rows were made on each day, of those on which there were any. */
export async function countRows(
  database: Database,
  { from, to, scope }: InsightRange,
  { table, column, about }: CountRule,
): Promise<Map<string, number>> {
  const ofOwner =
    scope === ''
      ? sql``
      : sql`and counted.${sql.ref(column)} in (select id from ${sql.table(about)} where user_id = ${scope})`;
  const rows = await ask(
    database,
    sql`select counted.created_at / ${sql.lit(DAY_MS)} as day, count(*) as total
        from ${sql.table(table)} as counted
        where counted.created_at >= ${startOf(from)} and counted.created_at < ${startOf(to) + DAY_MS}
          ${ofOwner} ${bounded(database)}
        group by 1`,
  );
  return new Map(rows.map(({ day, total }) => [dayOf(Number(day) * DAY_MS), Number(total)]));
}
