import { connectForTest } from '@fabrica/backend/testing/database/connect-for-test.ts';

/** Rows that one transaction adds: the server's own writes wait meanwhile. */
const POSTS_AT_ONCE = 5_000;

const LANGUAGES = ['en', 'es', 'fr', 'de'] as const;
const FIRST_TIME = 1_700_000_000_000;

/** The beginning of the ids of all posts, which end with their numbers from 1 on. */
export const FILLED = 'filled_';

/** Returns the slug of a post in a language. */
export const filledSlug = (language: string, post: number | '') =>
  `${language}-heart-${FILLED.replaceAll('_', '-')}${post}`;

/** Returns the time of a post in epoch milliseconds. */
export const filledTime = (post: number) => FIRST_TIME + post;

export interface FilledJournal {
  posts: number;
  /** The account of every hundredth post. */
  author: string;
  /** The likes of each post. */
  likes?: number;
  /** The id of a working copy whose document the others get; without it, there are no working copies. */
  template?: string;
}

/**
 * Fills a journal's database with posts, each with likes, a comment with a like and four slugs. With a template, nine of ten
 * have a working copy with a revision, segments and languages, and one in twenty is not published. PostgreSQL gets the statistics that it gathers by itself after a while.
 */
export async function fillJournal(
  settings: Readonly<Record<string, string>>,
  { posts, author, likes = 3, template }: FilledJournal,
): Promise<void> {
  const connection = await connectForTest(settings, 'journal');
  try {
    for (let first = 1; first <= posts; first += POSTS_AT_ONCE) {
      const last = Math.min(first + POSTS_AT_ONCE - 1, posts);
      const part = {
        numbers: `WITH RECURSIVE counted (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM counted WHERE n < ${last})`,
        user: `CASE WHEN n % 100 = 3 THEN '${author}' ELSE 'user_' || (n % 1000) END`,
        // Every post has a page unless there is a desk to publish it.
        published: template === undefined ? '1' : 'CASE WHEN n % 20 = 7 THEN 0 ELSE 1 END',
        // Posts are changed in another order than that of their creation.
        updated: `${FIRST_TIME} + (CAST(n AS bigint) * 7919 % ${posts})`,
      };
      await connection.run([...insertPosts(part), ...insertReactions(part, likes)]);
      if (template !== undefined) await connection.run(insertCopies(part, template));
    }
    if (settings.DATABASE_URL !== undefined) await connection.run(['ANALYZE']);
  } finally {
    await connection.close();
  }
}

/** SQL that the statements of a part have in common. */
interface Part {
  /** Counts the posts of the part, as `n`. */
  numbers: string;
  user: string;
  published: string;
  updated: string;
}

const CREATED = `${FIRST_TIME} + n`;
const POST_ID = `'${FILLED}' || n`;
const TITLE = `'Of the heart, part ' || n`;
const CONTENT = `'The walls of chamber ' || n || ' are fed before any other organ.'`;

/** Writes the statement that adds a row for each number. */
function insertInto(
  { numbers }: Part,
  table: string,
  values: Readonly<Record<string, string | number>>,
  from = 'counted',
): string {
  return `INSERT INTO ${table} (${Object.keys(values).join(', ')}) ${numbers} SELECT ${Object.values(values).join(', ')} FROM ${from}`;
}

function insertPosts(part: Part): string[] {
  const inLanguages = (column: string, value: string) =>
    Object.fromEntries(LANGUAGES.map((language) => [`${column}_${language}`, value]));
  const posts = insertInto(part, 'journal_posts', {
    id: POST_ID,
    user_id: part.user,
    title: TITLE,
    ...inLanguages('title', TITLE),
    image_url: `'/storage/journal/posts/' || n || '.webp'`,
    created_at: CREATED,
    updated_at: part.updated,
    published: part.published,
    content: CONTENT,
    ...inLanguages('content', CONTENT),
    translations: `'${JSON.stringify(Object.fromEntries(LANGUAGES.map((language) => [language, FACTS])))}'`,
  });
  const slugs = LANGUAGES.map((language) =>
    insertInto(part, 'post_slugs', {
      id: `'${filledSlug(language, '')}' || n`,
      post_id: POST_ID,
      language: `'${language}'`,
      current: 1,
      created_at: CREATED,
    }),
  );
  return [posts, ...slugs];
}

/** What readers are told of each translation. */
const FACTS = { by: 'machine', checked: true, reviewedBy: null, reviewedAt: null, releasedAt: 1, hashes: [] };

function insertReactions(part: Part, likes: number): string[] {
  return [
    ...Array.from({ length: likes }, (_, like) =>
      insertInto(part, 'post_likes', {
        id: `'like_' || n || '_${like}'`,
        post_id: POST_ID,
        user_id: `'user_' || ((n + ${like}) % 1000)`,
        created_at: CREATED,
      }),
    ),
    insertInto(part, 'post_comments', {
      id: `'comment_' || n`,
      post_id: POST_ID,
      user_id: `'user_' || ((n + 4) % 1000)`,
      user_name: `'Ana'`,
      content: `'So it is.'`,
      created_at: CREATED,
    }),
    insertInto(part, 'comment_likes', {
      id: `'clike_' || n`,
      comment_id: `'comment_' || n`,
      user_id: `'user_' || ((n + 5) % 1000)`,
      created_at: CREATED,
    }),
  ];
}

function insertCopies(part: Part, template: string): string[] {
  const copied = 'counted WHERE n % 10 > 0';
  const ofTemplate = (table: string, column: string, id = template) =>
    `(SELECT ${column} FROM ${table} WHERE id = '${id}')`;
  const copies = insertInto(
    part,
    'post_drafts',
    {
      id: POST_ID,
      user_id: part.user,
      version: 1,
      state: `CASE WHEN n % 20 = 7 THEN 'unpublished' ELSE 'published' END`,
      changed: 0,
      title: TITLE,
      image_url: `'/storage/journal/posts/1.png'`,
      languages: `'en,es,fr,de'`,
      people: `''`,
      revisions: 1,
      revised_at: CREATED,
      published_at: CREATED,
      post_updated_at: part.updated,
      created_at: CREATED,
      updated_at: part.updated,
      words: `'heart part'`,
      document: ofTemplate('post_drafts', 'document'),
    },
    copied,
  );
  const revisions = insertInto(
    part,
    'post_revisions',
    {
      id: `'revision_' || n`,
      post_id: POST_ID,
      user_id: part.user,
      number: 1,
      kind: `'published'`,
      created_at: CREATED,
      document: ofTemplate('post_drafts', 'document'),
    },
    copied,
  );
  const segments = insertInto(
    part,
    'post_segments',
    { id: POST_ID, version: 1, updated_at: CREATED, segments: ofTemplate('post_segments', 'segments') },
    copied,
  );
  const languages = LANGUAGES.slice(1).map((language) =>
    insertInto(
      part,
      'post_languages',
      {
        id: `${POST_ID} || '_${language}'`,
        post_id: POST_ID,
        language: `'${language}'`,
        state: ofTemplate('post_languages', 'state', `${template}_de`),
        rule: ofTemplate('post_languages', 'rule', `${template}_de`),
        missing: 'CASE WHEN n % 1000 = 1 THEN 2 ELSE 0 END',
        ...{ machine: 0, edited: 0, reviewed: 3, outdated: 0, blocked: 0 },
        updated_at: part.updated,
      },
      copied,
    ),
  );
  return [copies, revisions, segments, ...languages];
}
