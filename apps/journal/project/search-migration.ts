import { fillInBatches, type Migration } from '@fabrica/backend';
import { type Kysely, SqliteAdapter, sql } from 'kysely';

const LANGUAGES = ['en', 'es', 'fr', 'de'] as const;

/** The columns of a post that its card shows, and those that its row policy asks for. */
const SHOWN_COLUMNS = [
  'id',
  'user_id',
  'title',
  ...LANGUAGES.map((language) => `title_${language}`),
  'image_url',
  'image_width',
  'image_height',
  'image_placeholder',
  'created_at',
  'published',
];

/** A change of one of these changes what is searched. */
const SEARCHED_COLUMNS = [
  'user_id',
  ...['title', 'content'].flatMap((base) => [base, ...LANGUAGES.map((language) => `${base}_${language}`)]),
];

/**
 * Adds a table with the text of each post in each language as searches compare it, and the view by which it is searched.
 * Triggers write the table, so that it is right whoever writes a post or changes a name: a client, SQL or a restored copy.
 */
export const searchMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('post_search')
      .addColumn('post_id', 'text', (column) =>
        column.notNull().references('journal_posts.id').onDelete('cascade'),
      )
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('post_search_key', ['post_id', 'language'])
      .execute();
    const statements = isSqlite(db) ? sqliteTriggers() : postgresTriggers();
    for (const statement of [...statements, createView(SHOWN_COLUMNS)]) await sql.raw(statement).execute(db);
    // The trigger fills the table with the posts that exist.
    await sql`update journal_posts set title = title`.execute(db);
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropView('searchable_posts').execute();
    const triggers = { post_search_insert: 'journal_posts', post_search_update: 'journal_posts' };
    for (const [name, table] of Object.entries({ ...triggers, post_search_name: 'users' })) {
      await sql.raw(`DROP TRIGGER ${name}${isSqlite(db) ? '' : ` ON ${table}`}`).execute(db);
    }
    if (!isSqlite(db)) {
      await sql.raw('DROP FUNCTION post_search_of_post(), post_search_of_author()').execute(db);
    }
    await db.schema.dropTable('post_search').execute();
  },
};

/** The collations of PostgreSQL that know upper and lower case of every alphabet, the best first; not all servers have all. */
const FOLDING_COLLATIONS = ['pg_unicode_fast', 'und-x-icu', 'pg_c_utf8'];

/**
 * Stores texts on PostgreSQL with all letters in lower case from now on, as on SQLite, so that a search compares them as they are.
 * The view gets the language that a post was written in, which a card marks its title with.
 */
export const searchCaseMigration: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isSqlite(db)) {
      const lower = await findLower(db);
      await replaceFunctions(db, (text) => foldOnPostgres(text, lower));
    }
    await replaceView(db, [...SHOWN_COLUMNS, 'language']);
  },
  async down(db: Kysely<unknown>) {
    if (!isSqlite(db)) await replaceFunctions(db, foldOnPostgres);
    await replaceView(db, SHOWN_COLUMNS);
  },
};

const FILLED_POSTS = 200;

/** Writes the texts of before in lower case. */
export const searchCaseTexts = fillInBatches(async (db, after = '') => {
  if (isSqlite(db)) return undefined;
  const lower = await findLower(db);
  const posts = sql.lit(FILLED_POSTS);
  const { rows } = await sql<{ id: string }>`SELECT DISTINCT post_id AS id FROM post_search
    WHERE post_id > ${after} ORDER BY 1 LIMIT ${posts}`.execute(db);
  const last = rows.at(-1)?.id;
  if (last === undefined) return undefined;
  const text = sql.raw(lower('text'));
  await sql`UPDATE post_search SET text = ${text}
    WHERE post_id > ${after} AND post_id <= ${last} AND text <> ${text}`.execute(db);
  return rows.length < FILLED_POSTS ? undefined : last;
});

/** Returns the function that writes the SQL of a text in lower case. */
async function findLower(db: Kysely<unknown>): Promise<(text: string) => string> {
  const { rows } = await sql<{ name: string }>`SELECT collname AS name FROM pg_collation`.execute(db);
  const collation = FOLDING_COLLATIONS.find((wanted) => rows.some(({ name }) => name === wanted));
  return (text) => `lower(${text} COLLATE "${collation ?? 'default'}")`;
}

async function replaceFunctions(db: Kysely<unknown>, fold: (text: string) => string): Promise<void> {
  for (const statement of postgresFunctions(fold)) await sql.raw(statement).execute(db);
}

async function replaceView(db: Kysely<unknown>, shown: readonly string[]): Promise<void> {
  await db.schema.dropView('searchable_posts').execute();
  await sql.raw(createView(shown)).execute(db);
}

function isSqlite(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

/** The view has a column for each language. An engine joins only those that a query names. */
function createView(shown: readonly string[]): string {
  const texts = LANGUAGES.map((language) => `${language}.text AS text_${language}`);
  const joins = LANGUAGES.map(
    (language) =>
      `LEFT JOIN post_search AS ${language} ON ${language}.post_id = p.id AND ${language}.language = '${language}'`,
  );
  const columns = [...shown.map((column) => `p.${column}`), ...texts];
  return `CREATE VIEW searchable_posts AS SELECT ${columns.join(', ')} FROM journal_posts AS p ${joins.join(' ')}`;
}

const postChange = `UPDATE OF ${SEARCHED_COLUMNS.join(', ')} ON journal_posts`;
const nameChange = 'UPDATE OF display_name ON users';

function sqliteTriggers(): string[] {
  const trigger = (name: string, event: string, rows: string) =>
    `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${writeTexts(rows, (text) => `fold_text(${text})`)}; END`;
  return [
    trigger('post_search_insert', 'INSERT ON journal_posts', 'p.id = NEW.id'),
    trigger('post_search_update', postChange, 'p.id = NEW.id'),
    trigger('post_search_name', nameChange, 'p.user_id = NEW.id'),
  ];
}

function postgresTriggers(): string[] {
  const trigger = (name: string, event: string, called: string) =>
    `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW EXECUTE FUNCTION ${called}()`;
  return [
    // Texts of up to a page are stored as they are: a search reads all of them, and need not expand them first.
    'ALTER TABLE post_search SET (toast_tuple_target = 8160)',
    ...postgresFunctions(foldOnPostgres),
    trigger('post_search_insert', 'INSERT ON journal_posts', 'post_search_of_post'),
    trigger('post_search_update', postChange, 'post_search_of_post'),
    trigger('post_search_name', nameChange, 'post_search_of_author'),
  ];
}

function postgresFunctions(fold: (text: string) => string): string[] {
  const createFunction = (name: string, rows: string) =>
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${writeTexts(rows, fold)}; RETURN NULL; END $$`;
  return [
    createFunction('post_search_of_post', 'p.id = NEW.id'),
    createFunction('post_search_of_author', 'p.user_id = NEW.id'),
  ];
}

/** Returns a statement that writes the texts of some posts: title, content and author's name, with the fallbacks of a reader. */
function writeTexts(rows: string, fold: (text: string) => string): string {
  const inLanguage = (base: string) => {
    const cases = LANGUAGES.map((language) => `WHEN '${language}' THEN p.${base}_${language}`);
    return `coalesce(nullif(CASE l.language ${cases.join(' ')} END, ''), p.${base})`;
  };
  const text = `${inLanguage('title')} || ' ' || ${inLanguage('content')} || ' ' || coalesce(u.display_name, '')`;
  const languages = LANGUAGES.map((language) => `SELECT '${language}' AS language`).join(' UNION ALL ');
  return `INSERT INTO post_search (post_id, language, text)
    SELECT p.id, l.language, ${fold(text)}
    FROM journal_posts AS p CROSS JOIN (${languages}) AS l LEFT JOIN users AS u ON u.id = p.user_id
    WHERE ${rows}
    ON CONFLICT (post_id, language) DO UPDATE SET text = excluded.text`;
}

const lowerAscii = (text: string) => `lower(${text} COLLATE "C")`;

/** Does what `foldText` does. Without a function for all alphabets, letters beyond ASCII keep their case. */
function foldOnPostgres(text: string, lower = lowerAscii): string {
  const plain = `regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g')`;
  const pairs = [
    ['œ', 'oe'],
    ['Œ', 'oe'],
    ['æ', 'ae'],
    ['Æ', 'ae'],
    ['ß', 'ss'],
    ['ẞ', 'ss'],
  ];
  return pairs.reduce(
    (folded, [letter, letters]) => `replace(${folded}, '${letter}', '${letters}')`,
    `translate(${lower(plain)}, 'øØđĐłŁ', 'ooddll')`,
  );
}
