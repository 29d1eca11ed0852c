import { fillInBatches, type Migration } from '@fabrica/backend';
import { type Kysely, sql } from 'kysely';
import { searchedWords } from '../document.ts';

const FILLED_DRAFTS = 100;

/** Gives working copies a column for the words by which the desk finds them. */
export const deskWordsMigration: Migration = {
  compatibleWith: 'any',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('post_drafts').addColumn('words', 'text').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('post_drafts').dropColumn('words').execute();
  },
};

/** Fills it for the working copies of before. */
export const deskWords = fillInBatches(async (db, after = '') => {
  const { rows } = await sql<{ id: string; document: string }>`SELECT id, document FROM post_drafts
    WHERE id > ${after} ORDER BY id LIMIT ${sql.lit(FILLED_DRAFTS)}`.execute(db);
  for (const { id, document } of rows) {
    const words = searchedWords(JSON.parse(document));
    await sql`UPDATE post_drafts SET words = ${words} WHERE id = ${id}`.execute(db);
  }
  return rows.length < FILLED_DRAFTS ? undefined : rows.at(-1)?.id;
});
