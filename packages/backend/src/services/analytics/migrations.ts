import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What happened, what it adds up to, and by what the readers of a day are told apart while it lasts. */
const analytics: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    const isSqlite = database.getExecutor().adapter instanceof SqliteAdapter;
    await schema
      .createTable('analytics_events')
      // Begins with the time, so that the oldest ones are found by it and new ones stand side by side.
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
      // A year of them is read in one go: the rows themselves in the order of the key, and not by it one after the other.
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

/** The tables of this service, which no project may define or open. */
export const analyticsTables: readonly string[] = [
  'analytics_days',
  'analytics_events',
  'analytics_readers',
  'analytics_salts',
];
