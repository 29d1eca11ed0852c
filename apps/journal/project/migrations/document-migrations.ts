import { fillInBatches, type Migration } from '@fabrica/backend';
import { looksLikeEmail } from '@fabrica/contract';
import { type Kysely, sql } from 'kysely';
import { type Byline, type PostDocument, searchedWords } from '../document.ts';

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

const FILLED_ROWS = 100;
/** An e-mail address in a name, with the brackets around it. */
const WRITTEN_EMAIL = /[<([]*[^\s<>()[\],;]*[^\s@]@[^\s@]+[>)\]]*/g;
const ANONYMOUS = 'Anonymous';

interface StoredRow {
  id: string;
  text: string;
}

interface CleanedColumn {
  table: string;
  /** The column with the JSON that holds the names. */
  column: string;
  /** Returns the columns to write instead; undefined where no name is an e-mail address. */
  clean(db: Kysely<unknown>, text: string): Promise<Record<string, string> | undefined>;
}

/** Takes the e-mail addresses out of the names of people in posts, which everybody reads. */
export const postBylines = fillBylines({
  table: 'journal_posts',
  column: 'byline',
  async clean(db, text) {
    const byline = await withoutEmails(db, JSON.parse(text));
    return byline && { byline: JSON.stringify(byline) };
  },
});

/** Takes them out of working copies, whose next publication they would keep from being stored. */
export const draftBylines = fillBylines({
  table: 'post_drafts',
  column: 'document',
  async clean(db, text) {
    const document = await cleanDocument(db, text);
    return document && { document: JSON.stringify(document), words: searchedWords(document) };
  },
});

/** Takes them out of the revisions, which may be restored. */
export const revisionBylines = fillBylines({
  table: 'post_revisions',
  column: 'document',
  async clean(db, text) {
    const document = await cleanDocument(db, text);
    return document && { document: JSON.stringify(document) };
  },
});

function fillBylines({ table, column, clean }: CleanedColumn): Migration {
  return fillInBatches(async (db: Kysely<unknown>, after = '') => {
    const text = sql.ref(column);
    const { rows } = await sql<StoredRow>`SELECT id, ${text} AS text FROM ${sql.table(table)}
      WHERE id > ${after} AND ${text} IS NOT NULL ORDER BY id LIMIT ${sql.lit(FILLED_ROWS)}`.execute(db);
    for (const row of rows) {
      const cleaned = row.text.includes('@') ? await clean(db, row.text) : undefined;
      if (!cleaned) continue;
      const values = Object.entries(cleaned).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
      // What somebody has written meanwhile stays: it was checked.
      await sql`UPDATE ${sql.table(table)} SET ${sql.join(values)}
        WHERE id = ${row.id} AND ${text} = ${row.text}`.execute(db);
    }
    return rows.length < FILLED_ROWS ? undefined : rows.at(-1)?.id;
  });
}

async function cleanDocument(db: Kysely<unknown>, text: string): Promise<PostDocument | undefined> {
  const document: PostDocument = JSON.parse(text);
  const byline = await withoutEmails(db, document.byline ?? []);
  return byline && { ...document, byline };
}

/** Returns the people with other names; undefined where no name is an e-mail address. */
async function withoutEmails(db: Kysely<unknown>, byline: Byline): Promise<Byline | undefined> {
  if (!byline.some(({ name }) => looksLikeEmail(name))) return undefined;
  return Promise.all(
    byline.map(async (person) =>
      looksLikeEmail(person.name) ? { ...person, name: await publicName(db, person) } : person,
    ),
  );
}

/** Returns what a name says beside the address, else the present name of the account that it names. */
async function publicName(db: Kysely<unknown>, { name, userId }: Byline[number]): Promise<string> {
  const rest = name.replace(WRITTEN_EMAIL, ' ').replace(/\s+/g, ' ').trim();
  if (/\p{L}/u.test(rest) && !looksLikeEmail(rest)) return rest;
  if (userId === undefined) return ANONYMOUS;
  const { rows } = await sql<{ name: string | null }>`SELECT display_name AS name FROM users
    WHERE id = ${userId}`.execute(db);
  const account = rows[0]?.name?.trim();
  return account && !looksLikeEmail(account) ? account : ANONYMOUS;
}
