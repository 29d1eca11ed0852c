import type { Migration } from '@fabrica/backend';
import type { Kysely } from 'kysely';

/** Adds the table of briefs: a row for each post and language, which is removed with the post. */
export const translationBriefsMigration: Migration = {
  compatibleWith: 'any',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('translation_briefs')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('post_id', 'text', (column) =>
        column.notNull().references('post_segments.id').onDelete('cascade'),
      )
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('hashes', 'text', (column) => column.notNull())
      .addColumn('brief', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('translation_briefs_post').on('translation_briefs').column('post_id').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropTable('translation_briefs').execute();
  },
};
