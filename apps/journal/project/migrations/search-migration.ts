import { fillInBatches, type Migration } from '@fabrica/backend';
import { MARKDOWN_MARKS } from '@fabrica/contract';
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
 * Triggers write the table, so that it is right whatever writes a post or changes a name: a client, SQL or a restored copy.
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
    for (const [name, table] of Object.entries(TRIGGERS)) {
      await sql.raw(dropTrigger(name, isSqlite(db) ? undefined : table)).execute(db);
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

/**
 * Takes the marks of Markdown away from the texts that are written from now on. On SQLite the triggers call a function that programs
 * of before do not have.
 */
export const searchWordsMigration: Migration = {
  compatibleWith: { postgres: 'any' },
  up: (db: Kysely<unknown>) => replaceTriggers(db, wordsOfContent),
  down: (db: Kysely<unknown>) => replaceTriggers(db, asItIs),
};

/** Takes them away from the texts of before. */
export const searchWords = fillInBatches(async (db, after = '') => {
  const { rows } = await sql<{ id: string }>`SELECT id FROM journal_posts
    WHERE content_format = 'markdown' AND id > ${after} ORDER BY id LIMIT ${sql.lit(FILLED_POSTS)}`.execute(
    db,
  );
  const ids = rows.map(({ id }) => `'${id.replaceAll("'", "''")}'`);
  if (ids.length === 0) return undefined;
  const { fold, reads } = await textsOf(db, wordsOfContent);
  await sql.raw(writeTexts(`p.id IN (${ids.join(', ')})`, fold, reads)).execute(db);
  return rows.length < FILLED_POSTS ? undefined : rows.at(-1)?.id;
});

/**
 * Has PostgreSQL write texts with each sign in its usual form from now on, as `foldText` does: `fi` for a ligature. On SQLite the
 * triggers call the program's own function.
 */
export const searchFormsMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    if (isSqlite(db)) return;
    const { reads } = await textsOf(db, wordsOfContent);
    const lower = await findLower(db);
    for (const statement of postgresFunctions((text) => foldOnPostgres(text, lower, USUAL_FORMS), reads)) {
      await sql.raw(statement).execute(db);
    }
  },
  async down(db: Kysely<unknown>) {
    if (isSqlite(db)) return;
    const { fold, reads } = await textsOf(db, wordsOfContent);
    for (const statement of postgresFunctions(fold, reads)) await sql.raw(statement).execute(db);
  },
};

/** Has PostgreSQL take the marks of passages away, too, which no text of before has. The functions of before did not harm such texts. */
export const searchPassagesMigration: Migration = {
  compatibleWith: 'any',
  up: searchFormsMigration.up,
  down: async () => {},
};

/** Writes the texts of before in these forms. */
export const searchForms = fillInBatches(async (db, after = '') => {
  const lower = isSqlite(db) ? undefined : await findLower(db);
  const { rows } = await sql<{ id: string }>`SELECT DISTINCT post_id AS id FROM post_search
    WHERE post_id > ${after} ORDER BY 1 LIMIT ${sql.lit(FILLED_POSTS)}`.execute(db);
  const last = rows.at(-1)?.id;
  if (last === undefined) return undefined;
  const text = sql.raw(lower ? foldOnPostgres('text', lower, USUAL_FORMS) : 'fold_text(text)');
  await sql`UPDATE post_search SET text = ${text}
    WHERE post_id > ${after} AND post_id <= ${last} AND text <> ${text}`.execute(db);
  return rows.length < FILLED_POSTS ? undefined : last;
});

/** Has the triggers write the content as `words` says, also when its format alone changes. */
async function replaceTriggers(db: Kysely<unknown>, words: ContentWords): Promise<void> {
  const isLite = isSqlite(db);
  const { fold, reads } = await textsOf(db, words);
  const event = words === asItIs ? postChange : formatChange;
  const triggers = isLite
    ? sqliteTriggers(reads, event)
    : [
        ...postgresFunctions(fold, reads),
        postgresTrigger('post_search_update', event, 'post_search_of_post'),
      ];
  const replaced = isLite ? TRIGGERS : { post_search_update: 'journal_posts' };
  const drops = Object.entries(replaced).map(([name, table]) =>
    dropTrigger(name, isLite ? undefined : table),
  );
  for (const statement of [...drops, ...triggers]) await sql.raw(statement).execute(db);
}

/** Returns what writes the SQL of a text as searches compare it, and of the words of a content. */
async function textsOf(db: Kysely<unknown>, words: ContentWords): Promise<{ fold: Reading; reads: Reading }> {
  const isLite = isSqlite(db);
  const lower = isLite ? undefined : await findLower(db);
  return {
    fold: (text) => (isLite ? `fold_text(${text})` : foldOnPostgres(text, lower)),
    reads: (expression) => words(expression, isLite),
  };
}

/** Returns the SQL of the words of a post's content. */
type ContentWords = (expression: string, isSqlite: boolean) => string;

const asItIs: ContentWords = (expression) => expression;

const wordsOfContent: ContentWords = (expression, isLite) => {
  const words = isLite
    ? `markdown_words(${expression})`
    : MARKDOWN_MARKS.reduce(
        (text, [pattern, replacement]) =>
          `regexp_replace(${text}, '${pattern}', '${replacement.replace('$', '\\')}', 'gn')`,
        expression,
      );
  return `CASE WHEN p.content_format = 'markdown' THEN ${words} ELSE ${expression} END`;
};

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
const formatChange = `UPDATE OF ${[...SEARCHED_COLUMNS, 'content_format'].join(', ')} ON journal_posts`;
const nameChange = 'UPDATE OF display_name ON users';

/** The triggers and the tables that they watch. */
const TRIGGERS = {
  post_search_insert: 'journal_posts',
  post_search_update: 'journal_posts',
  post_search_name: 'users',
};

/** PostgreSQL asks for the trigger's table, too. */
function dropTrigger(name: string, table: string | undefined): string {
  return `DROP TRIGGER ${name}${table ? ` ON ${table}` : ''}`;
}

type Reading = (expression: string) => string;

function sqliteTriggers(reads?: Reading, change = postChange): string[] {
  const trigger = (name: string, event: string, rows: string) =>
    `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${writeTexts(rows, (text) => `fold_text(${text})`, reads)}; END`;
  return [
    trigger('post_search_insert', 'INSERT ON journal_posts', 'p.id = NEW.id'),
    trigger('post_search_update', change, 'p.id = NEW.id'),
    trigger('post_search_name', nameChange, 'p.user_id = NEW.id'),
  ];
}

function postgresTriggers(): string[] {
  return [
    // Texts of up to a page are stored as they are: a search reads all of them, and need not expand them first.
    'ALTER TABLE post_search SET (toast_tuple_target = 8160)',
    ...postgresFunctions(foldOnPostgres),
    postgresTrigger('post_search_insert', 'INSERT ON journal_posts', 'post_search_of_post'),
    postgresTrigger('post_search_update', postChange, 'post_search_of_post'),
    postgresTrigger('post_search_name', nameChange, 'post_search_of_author'),
  ];
}

function postgresTrigger(name: string, event: string, called: string): string {
  return `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW EXECUTE FUNCTION ${called}()`;
}

function postgresFunctions(fold: (text: string) => string, reads?: Reading): string[] {
  const createFunction = (name: string, rows: string) =>
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${writeTexts(rows, fold, reads)}; RETURN NULL; END $$`;
  return [
    createFunction('post_search_of_post', 'p.id = NEW.id'),
    createFunction('post_search_of_author', 'p.user_id = NEW.id'),
  ];
}

/** Returns a statement that writes the texts of some posts: title, content and author's name, with the fallbacks of a reader. */
function writeTexts(
  rows: string,
  fold: (text: string) => string,
  reads: Reading = (expression) => expression,
): string {
  const inLanguage = (base: string) => {
    const cases = LANGUAGES.map((language) => `WHEN '${language}' THEN p.${base}_${language}`);
    return `coalesce(nullif(CASE l.language ${cases.join(' ')} END, ''), p.${base})`;
  };
  const text = `${inLanguage('title')} || ' ' || ${reads(inLanguage('content'))} || ' ' || coalesce(u.display_name, '')`;
  const languages = LANGUAGES.map((language) => `SELECT '${language}' AS language`).join(' UNION ALL ');
  return `INSERT INTO post_search (post_id, language, text)
    SELECT p.id, l.language, ${fold(text)}
    FROM journal_posts AS p CROSS JOIN (${languages}) AS l LEFT JOIN users AS u ON u.id = p.user_id
    WHERE ${rows}
    ON CONFLICT (post_id, language) DO UPDATE SET text = excluded.text`;
}

/** A normal form of Unicode, and what is left out of it. */
const CANONICAL_FORMS = { form: 'NFD', left: '\\u0300-\\u036f' };
const USUAL_FORMS = {
  form: 'NFKD',
  left: '\\u0300-\\u036f\\u00ad\\u200b-\\u200d\\u2060\\ufeff',
};

const lowerAscii = (text: string) => `lower(${text} COLLATE "C")`;

/** Does what `foldText` does. Without a function for all alphabets, letters beyond ASCII keep their case. */
function foldOnPostgres(text: string, lower = lowerAscii, { form, left } = CANONICAL_FORMS): string {
  const plain = `regexp_replace(normalize(${text}, ${form}), '[${left}]', '', 'g')`;
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
