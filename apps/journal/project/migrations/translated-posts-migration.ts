import type { Migration } from '@fabrica/backend';
import { type Kysely, sql } from 'kysely';

const LANGUAGES = ['en', 'es', 'fr', 'de'] as const;

/** Characters by which the language of a text is detected (`apps/journal/app/language/guess-language.ts`). */
const OPENING_CHARACTERS = 4_000;

/**
 * Adds the view by which the sitemap learns in which languages posts exist, without their texts. Its `translations` are what
 * `contentLanguages` finds in the columns: a column that holds the original, or whose translation failed, is none. `opening` is the
 * beginning of a text whose language is not known.
 */
export const translatedPostsMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    const codes = LANGUAGES.map(
      (language) => `CASE WHEN content_${language} <> '' AND content_${language} <> content
        AND ',' || coalesce(untranslated, '') || ',' NOT LIKE '%,content:${language},%'
        THEN '${language},' ELSE '' END`,
    );
    await sql
      .raw(
        `CREATE VIEW translated_posts AS SELECT id, user_id, published, created_at, language,
        CAST(${codes.join(' || ')} AS text) AS translations,
        CAST(CASE WHEN language IS NULL THEN substr(content, 1, ${OPENING_CHARACTERS}) END AS text) AS opening
        FROM journal_posts`,
      )
      .execute(db);
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropView('translated_posts').execute();
  },
};
