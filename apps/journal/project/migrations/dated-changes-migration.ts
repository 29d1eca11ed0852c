import { fillInBatches, type Migration } from '@fabrica/backend';
import { type Kysely, SqliteAdapter, sql } from 'kysely';

const LANGUAGES = ['en', 'es', 'fr', 'de'] as const;
const PARTS = ['title', 'content'] as const;
type Part = (typeof PARTS)[number];

/**
 * Dates the changes of the words that readers have of a post, whichever program writes them. A trigger notes the time for each
 * language whose readers see another title or text than before. A translation in place of the original's words, or the other way
 * round, is none: such words were not changed. A write that names a new time as `small` is not dated. Working copies get a column for
 * what their author says of a publication that is scheduled.
 */
export const datedChangesMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('journal_posts').addColumn('dated_changes', 'text').execute();
    await db.schema.alterTable('post_drafts').addColumn('announcement', 'text').execute();
    for (const statement of isSqlite(db) ? [sqliteTrigger] : [postgresFunction, postgresTrigger])
      await sql.raw(statement).execute(db);
  },
  async down(db: Kysely<unknown>) {
    await sql.raw(`DROP TRIGGER dated_changes${isSqlite(db) ? '' : ' ON journal_posts'}`).execute(db);
    if (!isSqlite(db)) await sql.raw('DROP FUNCTION dated_changes()').execute(db);
    await db.schema.alterTable('post_drafts').dropColumn('announcement').execute();
    await db.schema.alterTable('journal_posts').dropColumn('dated_changes').execute();
  },
};

const isSqlite = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof SqliteAdapter;

const isTranslated = (row: string, part: Part, language: string) =>
  `(coalesce(${row}.${part}_${language}, '') NOT IN ('', ${row}.${part}))`;
const shown = (row: string, part: Part, language: string) =>
  `coalesce(nullif(${row}.${part}_${language}, ''), ${row}.${part})`;
/** Matches rows whose readers of a language see other words of the same kind: of a translation, or of the original. */
const isOther = (language: string) =>
  PARTS.map(
    (part) =>
      `((NEW.language IS NOT DISTINCT FROM '${language}' OR ${isTranslated('OLD', part, language)} = ${isTranslated('NEW', part, language)})
        AND ${shown('OLD', part, language)} <> ${shown('NEW', part, language)})`,
  ).join(' OR ');

const isOtherOriginal = 'OLD.title <> NEW.title OR OLD.content <> NEW.content';
const changed = [
  `SELECT 'original' AS name WHERE ${isOtherOriginal}`,
  ...LANGUAGES.map((language) => `SELECT '${language}' AS name WHERE ${isOther(language)}`),
].join(' UNION ALL ');

/** The time of the write, or the present one where a program does not set it. */
const timeOf = (now: string) =>
  `CASE WHEN NEW.updated_at <> OLD.updated_at THEN NEW.updated_at ELSE ${now} END`;
/** What was never published has no readers. */
const wasPublished = `(OLD.published = 1 OR EXISTS (SELECT 1 FROM post_drafts AS d WHERE d.id = NEW.id AND d.published_revision IS NOT NULL))`;
const isSmall = (smallIn: (row: string) => string) =>
  `(${smallIn('NEW')} IS NOT NULL AND ${smallIn('NEW')} IS DISTINCT FROM ${smallIn('OLD')})`;

const COLUMNS = PARTS.flatMap((part) => [part, ...LANGUAGES.map((language) => `${part}_${language}`)]);

const sqliteTrigger = `CREATE TRIGGER dated_changes AFTER UPDATE OF ${COLUMNS.join(', ')} ON journal_posts
  WHEN NOT ${isSmall((row) => `json_extract(${row}.dated_changes, '$.small')`)} AND ${wasPublished}
    AND EXISTS (SELECT 1 FROM (${changed}) AS names)
  BEGIN UPDATE journal_posts SET dated_changes = (SELECT json_patch(coalesce(NEW.dated_changes, '{}'),
    json_group_object(name, ${timeOf("CAST(unixepoch('subsec') * 1000 AS INTEGER)")})) FROM (${changed}) AS names) WHERE id = NEW.id; END`;

const postgresFunction = `CREATE FUNCTION dated_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT ${isSmall((row) => `(${row}.dated_changes::jsonb ->> 'small')`)} AND ${wasPublished} THEN
      NEW.dated_changes := coalesce((SELECT (coalesce(NEW.dated_changes, '{}')::jsonb
        || jsonb_object_agg(name, ${timeOf('CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)')}))::text
        FROM (${changed}) AS names HAVING count(*) > 0), NEW.dated_changes);
    END IF;
    RETURN NEW;
  END $$`;
const postgresTrigger = `CREATE TRIGGER dated_changes BEFORE UPDATE OF ${COLUMNS.join(', ')} ON journal_posts
  FOR EACH ROW EXECUTE FUNCTION dated_changes()`;

const FILLED_POSTS = 50;

interface StoredPost extends Record<`${Part}_${(typeof LANGUAGES)[number]}`, string | null> {
  id: string;
  title: string;
  content: string;
}

/**
 * Dates the stored posts by their publications: the last one with other words than the one before. A language has that date where its
 * readers see the original, or where it was released since.
 */
export const datesOfPublications = fillInBatches(async (db, after = '') => {
  const { rows: posts } = await sql<StoredPost>`SELECT p.* FROM journal_posts AS p
    WHERE p.id > ${after} AND p.dated_changes IS NULL AND 1 < (SELECT count(*) FROM post_revisions AS r
      WHERE r.post_id = p.id AND r.kind = 'published')
    ORDER BY p.id LIMIT ${sql.lit(FILLED_POSTS)}`.execute(db);
  for (const post of posts) {
    const at = await findLastChange(db, post.id);
    if (at === undefined) continue;
    const { rows: releases } = await sql<{ language: string; released_at: number | string | null }>`
      SELECT language, released_at FROM post_languages WHERE post_id = ${post.id}`.execute(db);
    const releasedAt = new Map(releases.map((one) => [one.language, Number(one.released_at ?? 0)]));
    const languages = LANGUAGES.filter((language) => {
      const own = post[`content_${language}`];
      return !own || own === post.content || (releasedAt.get(language) ?? 0) >= at;
    });
    const dates = JSON.stringify(Object.fromEntries(['original', ...languages].map((name) => [name, at])));
    await sql`UPDATE journal_posts SET dated_changes = ${dates}
      WHERE id = ${post.id} AND dated_changes IS NULL`.execute(db);
  }
  return posts.length < FILLED_POSTS ? undefined : posts.at(-1)?.id;
});

/** Returns the time of the last publication with other words than the one before it. */
async function findLastChange(db: Kysely<unknown>, postId: string): Promise<number | undefined> {
  const { rows } = await sql<{ created_at: number | string; document: string }>`
    SELECT created_at, document FROM post_revisions WHERE post_id = ${postId} AND kind = 'published'
    ORDER BY number DESC`.execute(db);
  const words = rows.map(({ document }) => {
    const { title = '', content = '' }: Partial<Record<Part, string>> = JSON.parse(document);
    return JSON.stringify([title.trim(), content.trim()]);
  });
  const last = words.findIndex((one, at) => at + 1 < words.length && one !== words[at + 1]);
  return last < 0 ? undefined : Number(rows[last]?.created_at);
}
