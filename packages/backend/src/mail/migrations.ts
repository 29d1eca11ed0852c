import { type Kysely, sql } from 'kysely';
import type { Migration } from '../core/project.ts';
import { KEPT_MESSAGES, keptMessages } from './kept-messages.ts';

/** Creates the outbox in the project's database, so that a mail outlives the process that enqueued it. */
const outbox: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('outbox')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      // Whom an account of the project is deleted with: what waits for it goes along.
      .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('to_address', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('next_try_at', 'bigint', (column) => column.notNull())
      .addColumn('give_up_at', 'bigint', (column) => column.notNull())
      .addColumn('claim', 'text')
      .addColumn('last_error', 'text')
      .addColumn('ended_at', 'bigint')
      // The long texts are the last columns, because SQLite reads through them to reach later ones.
      .addColumn('recipients', 'text', (column) => column.notNull())
      .addColumn('message', 'text')
      .addCheckConstraint('outbox_state_is_known', sql`state in ('waiting', 'sent', 'failed')`)
      .execute();
    await schema.createIndex('outbox_due').on('outbox').columns(['state', 'next_try_at']).execute();
    await schema.createIndex('outbox_user').on('outbox').column('user_id').execute();
    await schema
      .createTable('outbox_attachments')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('mail_id', 'text', (column) => column.notNull().references('outbox.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('filename', 'text', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('disposition', 'text', (column) => column.notNull())
      .addColumn('cid', 'text')
      .addColumn('content', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('outbox_attachments_mail')
      .on('outbox_attachments')
      .columns(['mail_id', 'position'])
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    for (const table of ['outbox_attachments', 'outbox']) await schema.dropTable(table).execute();
  },
};

export const mailMigrations: Record<string, Migration> = {
  '0008-outbox': outbox,
  [KEPT_MESSAGES]: keptMessages,
};

/** Names the tables of mail, which projects may not define or open to clients. */
export const mailTables: readonly string[] = ['outbox', 'outbox_attachments', 'kept_messages'];
