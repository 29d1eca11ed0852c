import { connectForTest } from '@fabrica/backend/testing/database/connect-for-test.ts';

/** Rows that one transaction adds: the server's own writes wait meanwhile. */
const POSTS_AT_ONCE = 5_000;

const LANGUAGES = ['en', 'es', 'fr', 'de'] as const;
/** The beginning of the ids of all posts, which end with their numbers from 1 on. */
export const FILLED = 'filled_';

/** Returns the time of a post in epoch milliseconds. */
export const filledTime = (post: number) => 1_700_000_000_000 + post * 60_000;

export interface FilledJournal {
  posts: number;
  /** The account of every hundredth post. */
  author: string;
  /** The id of a working copy whose document the others get. */
  template: string;
}

/**
 * Fills a journal's database with posts, each with three likes, a comment with a like, four slugs and its segments' counts. Nine of ten
 * have a working copy with a revision; one in twenty is not published. PostgreSQL gets the statistics that it gathers by itself after a while.
 */
export async function fillJournal(
  settings: Readonly<Record<string, string>>,
  { posts, author, template }: FilledJournal,
): Promise<void> {
  const connection = await connectForTest(settings, 'journal');
  try {
    for (let first = 1; first <= posts; first += POSTS_AT_ONCE) {
      const last = Math.min(first + POSTS_AT_ONCE - 1, posts);
      await connection.run(statements({ first, last, posts, author, template }));
    }
    if (settings.DATABASE_URL !== undefined) await connection.run(['ANALYZE']);
  } finally {
    await connection.close();
  }
}

interface Part extends FilledJournal {
  first: number;
  last: number;
}

function statements({ first, last, posts, author, template }: Part): string[] {
  const numbers = `WITH RECURSIVE counted (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM counted WHERE n < ${last})`;
  const insert = (table: string, columns: string, values: string, from = 'counted') =>
    `INSERT INTO ${table} (${columns}) ${numbers} SELECT ${values} FROM ${from}`;
  const created = `${filledTime(0)} + n * 60000`;
  // Posts are changed in another order than that of their creation.
  const updated = `${filledTime(0)} + (n * 7919 % ${posts}) * 60000`;
  const user = `CASE WHEN n % 100 = 3 THEN '${author}' ELSE 'user_' || (n % 1000) END`;
  const published = `CASE WHEN n % 20 = 7 THEN 0 ELSE 1 END`;
  const titles = LANGUAGES.map((language) => `title_${language}`).join(', ');
  const contents = LANGUAGES.map((language) => `content_${language}`).join(', ');
  const title = `'Of the heart, part ' || n`;
  const content = `'The walls of chamber ' || n || ' are fed before any other organ.'`;
  const drafted = 'counted WHERE n % 10 > 0';
  return [
    insert(
      'journal_posts',
      `id, user_id, title, ${titles}, image_url, created_at, updated_at, published, content, ${contents}`,
      `'${FILLED}' || n, ${user}, ${title}, ${title}, ${title}, ${title}, ${title}, '/storage/journal/posts/' || n || '.webp',
        ${created}, ${updated}, ${published}, ${content}, ${content}, ${content}, ${content}, ${content}`,
    ),
    ...[1, 2, 3].map((like) =>
      insert(
        'post_likes',
        'id, post_id, user_id, created_at',
        `'like_' || n || '_${like}', '${FILLED}' || n, 'user_' || ((n + ${like}) % 1000), ${created}`,
      ),
    ),
    insert(
      'post_comments',
      'id, post_id, user_id, user_name, content, created_at',
      `'comment_' || n, '${FILLED}' || n, 'user_' || ((n + 4) % 1000), 'Ana', 'So it is.', ${created}`,
    ),
    insert(
      'comment_likes',
      'id, comment_id, user_id, created_at',
      `'clike_' || n, 'comment_' || n, 'user_' || ((n + 5) % 1000), ${created}`,
    ),
    ...LANGUAGES.map((language) =>
      insert(
        'post_slugs',
        'id, post_id, language, current, created_at',
        `'${language}-heart-${FILLED}' || n, '${FILLED}' || n, '${language}', 1, ${created}`,
      ),
    ),
    insert(
      'post_drafts',
      `id, user_id, version, state, changed, title, image_url, languages, people, revisions, revised_at, published_at,
        post_updated_at, created_at, updated_at, words, document`,
      `'${FILLED}' || n, ${user}, 1, CASE WHEN n % 20 = 7 THEN 'unpublished' ELSE 'published' END, 0, ${title}, '/x.webp', 'en,es,fr,de', '', 1,
        ${created}, ${created}, ${updated}, ${created}, ${updated}, 'heart part', (SELECT document FROM post_drafts WHERE id = '${template}')`,
      drafted,
    ),
    insert(
      'post_revisions',
      'id, post_id, user_id, number, kind, created_at, document',
      `'revision_' || n, '${FILLED}' || n, ${user}, 1, 'published', ${created}, (SELECT document FROM post_drafts WHERE id = '${template}')`,
      drafted,
    ),
    insert(
      'post_segments',
      'id, version, updated_at, segments',
      `'${FILLED}' || n, 1, ${created}, (SELECT segments FROM post_segments WHERE id = '${template}')`,
      drafted,
    ),
    ...LANGUAGES.slice(1).map((language) =>
      insert(
        'post_languages',
        'id, post_id, language, state, rule, missing, machine, edited, reviewed, outdated, blocked, updated_at',
        `'${FILLED}' || n || '_${language}', '${FILLED}' || n, '${language}', 
          (SELECT state FROM post_languages WHERE id = '${template}_de'), (SELECT rule FROM post_languages WHERE id = '${template}_de'),
          CASE WHEN n % 1000 = 1 THEN 2 ELSE 0 END, 0, 0, 3, 0, 0, ${updated}`,
        drafted,
      ),
    ),
  ];
}
