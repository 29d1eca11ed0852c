import type { Migration } from '@fabrica/backend';
import type { Kysely } from 'kysely';

/** Adds the further pictures of a post. The column is the last one: no list reads it. */
export const picturesMigration: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').addColumn('pictures', 'text').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').dropColumn('pictures').execute();
  },
};
