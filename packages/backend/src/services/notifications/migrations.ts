import type { Kysely } from 'kysely';
import type { Migration } from '../../core/project.ts';

/** Creates the tables of the rows to notify about, of the mails about them, and of the users who stopped them. */
const notices: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('notice_items')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('about_id', 'text', (column) => column.notNull())
      .addColumn('row_id', 'text', (column) => column.notNull())
      .addColumn('noted_at', 'bigint', (column) => column.notNull())
      .addColumn('told_at', 'bigint')
      .execute();
    await schema
      .createIndex('notice_items_about')
      .on('notice_items')
      .columns(['kind', 'about_id', 'told_at'])
      .execute();
    await schema.createIndex('notice_items_told').on('notice_items').column('told_at').execute();
    await schema
      .createTable('notice_batches')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('about_id', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('mailed_at', 'bigint')
      .addColumn('claim', 'text')
      .execute();
    await schema.createIndex('notice_batches_due').on('notice_batches').column('due_at').execute();
    await schema
      .createTable('notice_stops')
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('about_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('notice_stops_key', ['user_id', 'kind', 'about_id'])
      .execute();
    await schema
      .createTable('notice_marks')
      .addColumn('kind', 'text', (column) => column.notNull().primaryKey())
      .addColumn('seen_until', 'bigint', (column) => column.notNull())
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    for (const table of ['notice_marks', 'notice_stops', 'notice_batches', 'notice_items'])
      await schema.dropTable(table).execute();
  },
};

export const notificationMigrations: Record<string, Migration> = { '0008-notices': notices };

/** Names the tables of this service, which projects may not define or open to clients. */
export const notificationTables: readonly string[] = [
  'notice_batches',
  'notice_items',
  'notice_marks',
  'notice_stops',
];
