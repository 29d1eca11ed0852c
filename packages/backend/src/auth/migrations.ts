import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Accounts and their sessions live in the project's own database. */
const users: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('display_name', 'text')
      .addColumn('photo_url', 'text')
      .addColumn('email_verified', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text')
      // bigint: epoch milliseconds are too large for the integer of other engines.
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_sign_in_at', 'bigint')
      .addCheckConstraint('users_email_verified_is_flag', sql`email_verified in (0, 1)`)
      .execute();
    await database.schema
      .createTable('refresh_tokens')
      .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('family_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('spent_at', 'bigint')
      .execute();
    await database.schema.createIndex('refresh_tokens_user').on('refresh_tokens').column('user_id').execute();
    await database.schema
      .createIndex('refresh_tokens_family')
      .on('refresh_tokens')
      .column('family_id')
      .execute();
  },
};

/** Their names sort before those of a project: its views may look at `users`. */
export const authMigrations: Record<string, Migration> = { '0001-users': users };
