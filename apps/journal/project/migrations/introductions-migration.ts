import type { Migration } from '@fabrica/backend';
import type { Kysely } from 'kysely';

/** Adds the sentences by which authors introduce themselves: one for each account and language. */
export const introductionsMigration: Migration = {
  compatibleWith: 'any',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('introductions')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('sentence', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('introductions_once')
      .unique()
      .on('introductions')
      .columns(['user_id', 'language'])
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropTable('introductions').execute();
  },
};
