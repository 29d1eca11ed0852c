import type { Kysely } from 'kysely';
import type { Migration } from '../../../core/project.ts';

/** Passkeys and authenticator apps, recovery codes, and which sessions have shown one of them. */
export const factorMigration: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('second_factors')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('secret', 'text')
      .addColumn('last_step', 'bigint')
      .addColumn('credential_id', 'text', (column) => column.unique())
      .addColumn('public_key', 'text')
      .addColumn('counter', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('transports', 'text')
      .execute();
    await schema.createIndex('second_factors_user').on('second_factors').column('user_id').execute();
    await schema
      .createTable('recovery_codes')
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'code_hash'])
      .execute();
    await schema
      .createTable('factor_tries')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute();
    await schema.alterTable('sessions').addColumn('second_step', 'text').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('sessions').dropColumn('second_step').execute();
    for (const table of ['factor_tries', 'recovery_codes', 'second_factors']) {
      await schema.dropTable(table).execute();
    }
  },
};
