import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from '../../core/project.ts';

/** Creates the tables of events, of daily counts, and of the readers and salts of the current day. */
const analytics: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    const isSqlite = database.getExecutor().adapter instanceof SqliteAdapter;
    await schema
      .createTable('analytics_events')
      // The id begins with the time, so that old events are found by it and new ones are stored next to each other.
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('happened_at', 'bigint', (column) => column.notNull())
      .addColumn('visit', 'text')
      .addColumn('pathname', 'text')
      .addColumn('referrer', 'text')
      .addColumn('language', 'text')
      .addColumn('channel', 'text')
      .addColumn('screen_width', 'bigint')
      .addColumn('properties', 'text')
      .execute();
    await schema
      .createTable('analytics_days')
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('dimension', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('views', 'bigint', (column) => column.notNull())
      .addColumn('readers', 'bigint', (column) => column.notNull())
      .addColumn('completed', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('analytics_days_key', ['scope', 'dimension', 'day', 'value'])
      // Insights read a year of rows at once: without a rowid, SQLite stores the rows in the order of the key.
      .$call((table) => (isSqlite ? table.modifyEnd(sql`without rowid`) : table))
      .execute();
    await schema
      .createTable('analytics_readers')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('seen', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('analytics_salts')
      .addColumn('day', 'text', (column) => column.notNull().primaryKey())
      .addColumn('salt', 'text', (column) => column.notNull())
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    for (const table of ['analytics_salts', 'analytics_readers', 'analytics_days', 'analytics_events'])
      await schema.dropTable(table).execute();
  },
};

export const analyticsMigrations: Record<string, Migration> = { '0009-analytics': analytics };

/** Names the tables of this service, which projects may not define or open to clients. */
export const analyticsTables: readonly string[] = [
  'analytics_days',
  'analytics_events',
  'analytics_readers',
  'analytics_salts',
];
