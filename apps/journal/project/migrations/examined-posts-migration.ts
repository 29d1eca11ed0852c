import type { Migration } from '@fabrica/backend';
import { sql } from 'kysely';

/** Did with all texts at once what the desk does since `examinedPostsMigration`, which took minutes and began anew when it was killed. */
export const formerExamination: Migration = {
  compatibleWith: 'any',
  up: async () => undefined,
  down: async () => undefined,
};

/**
 * Notes of each post whether the present guard has examined its texts: none of the stored ones, whose findings do not tell doubts from
 * warnings. The desk has them examined anew before it shows them or releases by them, and in the background. A later guard sets
 * the column to null again.
 */
export const examinedPostsMigration: Migration = {
  compatibleWith: 'any',
  async up(db) {
    await db.schema.alterTable('post_segments').addColumn('examined', 'bigint').execute();
    await sql`CREATE INDEX post_segments_unexamined ON post_segments (id) WHERE examined IS NULL`.execute(db);
  },
  async down({ schema }) {
    await schema.dropIndex('post_segments_unexamined').execute();
    await schema.alterTable('post_segments').dropColumn('examined').execute();
  },
};
