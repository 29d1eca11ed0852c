import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { createClient } from '@fabrica/client';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { loadGalleryPage } from '../app/gallery/load-gallery-page.ts';
import { buildPostRow, openTestJournal, type PostRow, users } from '../testing/open-test-journal.ts';
import type { Language } from './languages.ts';
import { migrations } from './migrations.ts';
import { defineJournal } from './project.ts';

let db: TestDatabase;
let createdAt = 0;

async function publish(post: PostRow): Promise<void> {
  createdAt += 1;
  const body = buildPostRow({ user_id: 'ben', created_at: createdAt, ...post });
  expect((await db.service('POST', 'journal_posts', { body })).status).toBe(201);
}

beforeAll(async () => {
  db = await openTestJournal();
  await db.database.writer
    .updateTable('users')
    .set({ display_name: 'Dr Zoë Müller-Núñez' })
    .where('id', '=', 'ada')
    .execute();
  await publish({
    id: 'crown',
    user_id: 'ada',
    title: 'The crown around the heart',
    content: 'Two coronary arteries feed the muscle.',
    title_es: 'La corona del corazón',
    content_es: 'Las arterias coronarias alimentan el músculo. También los riñones.',
    title_fr: 'La couronne du cœur',
    content_fr: 'Deux artères, l’ŒIL et les vaisseaux de l’animal.',
    title_de: 'Die Krone um das Herz',
    content_de: 'Der Herzmuskel und seine GEFÄSSE, groß und klein, nicht die Lunge.',
  });
  await publish({
    id: 'greek',
    title: 'ΚΑΡΔΙΆ',
    content: 'An ophthalmoscope with lenses and a reflex. Balo\u0301n.',
  });
});

afterAll(() => db.close());

/** Reads through the real routes, as the pages do. */
const reader = createClient({
  projectId: 'test',
  origin: 'http://journal.test',
  fetch: async (input, init) => {
    const { pathname, search } = new URL(new Request(input, init).url);
    const { status, headers, body } = await db.anonymous('GET', `${pathname.split('/rest/v1/')[1]}${search}`);
    return Response.json(body, { status, headers });
  },
});

async function find(search: string, language: Language = 'en'): Promise<string[]> {
  const { posts } = await loadGalleryPage(reader, { language, search, cursor: null });
  return posts.map(({ id }) => id);
}

describe('a search', () => {
  it.each<[language: Language, search: string]>([
    ['en', 'crown heart'],
    ['en', 'HEART CROWN'],
    ['en', 'hearts'],
    ['en', 'coronary artery'],
    ['en', 'muscles, arteries'],
    ['es', 'corazon'],
    ['es', 'CORAZÓN corona'],
    ['es', 'corazones'],
    ['es', 'rinon'],
    ['fr', 'coeur'],
    ['fr', 'cœurs'],
    ['fr', 'l’oeil'],
    ['fr', 'vaisseau artere'],
    ['fr', 'animaux'],
    ['de', 'muskel'],
    ['de', 'Gefäße'],
    ['de', 'gross herzen'],
    ['de', 'Lungen'],
    ['de', 'muller herz'],
    ['en', 'Zoe Nunez'],
    ['en', 'Müller'],
  ])('in %s for "%s" finds the post', async (language, search) => {
    expect(await find(search, language)).toEqual(['crown']);
  });

  it.each<[language: Language, search: string]>([
    ['en', 'heart lungs'],
    ['en', 'corazon'],
    ['de', 'corazon muller'],
    ['de', 'Beine'],
  ])('in %s for "%s" finds nothing, as no post has all words', async (language, search) => {
    expect(await find(search, language)).toEqual([]);
  });

  it('finds other alphabets and decomposed accents, whatever the case', async () => {
    for (const search of ['καρδιά', 'ΚΑΡΔΙΑ', 'balón', 'ophthalmoscopes', 'reflexes lens']) {
      expect(await find(search)).toEqual(['greek']);
    }
  });

  it('finds signs in whatever form they are written', async () => {
    await publish({
      id: 'forms',
      title: '\ufb01brillation \ufb02ow',
      content: 'Take 50 \u00b5g with H\u2082O, hyper\u00adtension 10\u2079.',
    });
    for (const search of [
      'fibrillation flow',
      '50 \u03bcg',
      '50 \u00b5g',
      'h2o',
      'H\u2082O',
      'hypertension',
      '109',
    ]) {
      expect(await find(search), search).toEqual(['forms']);
    }
  });

  it('tells the language that a post was written in, as the gallery does', async () => {
    await db.service('PATCH', 'journal_posts?id=eq.crown', { body: { language: 'en' } });
    const { posts } = await loadGalleryPage(reader, { language: 'de', search: 'krone', cursor: null });
    expect(posts).toMatchObject([{ id: 'crown', language: 'en' }]);
  });

  it('of many words looks for the first eight alone', async () => {
    expect(await find(`crown ${'heart '.repeat(20)}`)).toEqual(['crown']);
    expect(await find('crown a r t e i o h 99')).toEqual(['crown']);
    expect(await find('crown a r t e i o 99')).toEqual([]);
  });
});

describe('what is searched', () => {
  const byTitle = async (title: string) => (await find(title)).length;

  it('follows changes of a post, its author’s name, and SQL', async () => {
    await publish({ id: 'spleen', title: 'Spleen' });
    await db.service('PATCH', 'journal_posts?id=eq.spleen', { body: { title_en: 'Milza' } });
    expect([await byTitle('spleen'), await byTitle('milza')]).toEqual([0, 1]);
    await db.service('POST', '/sql', {
      body: { query: "UPDATE journal_posts SET title_en = 'Tímo' WHERE id = 'spleen'" },
    });
    expect([await byTitle('milza'), await byTitle('timo')]).toEqual([0, 1]);
    await db.database.writer
      .updateTable('users')
      .set({ display_name: 'Çelik' })
      .where('id', '=', 'ben')
      .execute();
    expect(await find('celik timo')).toEqual(['spleen']);
    await db.service('DELETE', 'journal_posts?id=eq.spleen');
    expect(await byTitle('timo')).toBe(0);
  });

  it('is the words of a Markdown text, and none of its marks', async () => {
    const figure =
      ':::figure{src="/storage/journal/vesselpath.webp" alt="A sketch" width="800"}\nThe caption.\n:::';
    const content = `## Sizing\n\nHyper**tension** at 10:sup[9]cells[^mark] of a :mark[ventri*cle*]{#a}s :cite[harvey1628], [see](https://hidden.example/x).\n\n${figure}`;
    await publish({ id: 'marked', title: 'Marked', content, content_format: 'markdown' });
    expect(await find('hypertension 109cells ventricles sizing sketch caption see')).toEqual(['marked']);
    const hidden = ['vesselpath', 'harvey', 'hidden example', '800', 'figure'];
    for (const mark of hidden) expect(await find(`marked ${mark}`), mark).toEqual([]);
    // A text that is plain is searched as it is written, as soon as it is plain.
    await db.service('PATCH', 'journal_posts?id=eq.marked', { body: { content_format: null } });
    expect(await find('marked vesselpath')).toEqual(['marked']);
    await db.service('DELETE', 'journal_posts?id=eq.marked');
  });

  it('is the same for the authors of unpublished posts, and closed to all others', async () => {
    await publish({ id: 'draft', title: 'Unpublished', published: 0 });
    const path = 'searchable_posts?text_en=like.*unpublished*&select=id';
    expect((await db.anonymous('GET', path)).body).toEqual([]);
    const ben = db.as({ kind: 'user', id: 'ben', email: 'b@example.org', displayName: null, role: 'author' });
    expect((await ben('GET', path)).body).toEqual([{ id: 'draft' }]);
    expect((await ben('POST', 'searchable_posts', { body: { id: 'x' } })).status).toBe(403);
    expect((await ben('GET', 'post_search')).status).toBe(404);
  });
});

test('posts from before there was a search are found after the migration, and without it nothing is left', async () => {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < 'journal-0007'));
  const journal = { ...defineJournal({ id: 'journal' }), whenAccountIsDeleted: {}, tables: {} };
  const old = await openTestDatabase({ ...journal, migrations: { '0001-users': users, ...before } });
  try {
    const { writer } = old.database;
    const times = { created_at: 1, updated_at: 2, published: 1 };
    await writer
      .insertInto('journal_posts')
      .values(buildPostRow({ id: 'p1', user_id: 'ada', title_de: 'Früher', ...times }))
      .execute();
    const { 'journal-0007-search': search = { up: async () => {} } } = migrations;
    const all = { '0001-users': users, ...before, 'journal-0007-search': search };
    const migrator = new Migrator({ db: writer, provider: { getMigrations: async () => all } });
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    const { text_de, text_fr } = await writer
      .selectFrom('searchable_posts')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect([text_de, text_fr]).toEqual(['fruher a muscle. ', 'heart a muscle. ']);
    // Its letters beyond ASCII had another case on PostgreSQL until a later migration.
    await writer.updateTable('journal_posts').set({ title_de: 'ΚΑΡΔΙΆ' }).execute();
    const { 'journal-0010-languages': languages, 'journal-0012-search-case': searchCase } = migrations;
    const { 'journal-0014-search-case-texts': searchCaseTexts } = migrations;
    const later = Object.entries({ languages, searchCase, searchCaseTexts }).map(([name, migration]) => [
      `journal-9-${name}`,
      migration,
    ]);
    Object.assign(all, Object.fromEntries(later));
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    expect(await writer.selectFrom('searchable_posts').select('text_de').execute()).toEqual([
      { text_de: 'καρδια a muscle. ' },
    ]);
    for (const _ of later) expect((await migrator.migrateDown()).error).toBeUndefined();
    expect((await migrator.migrateDown()).error).toBeUndefined();
    await writer.updateTable('journal_posts').set({ title: 'Later' }).execute();
    expect(await old.database.columns('post_search')).toEqual([]);
  } finally {
    await old.close();
  }
});

test('texts from before signs had one form are found in it after the migration', async () => {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < 'journal-0039'));
  const journal = { ...defineJournal({ id: 'journal' }), whenAccountIsDeleted: {}, tables: {} };
  const old = await openTestDatabase({ ...journal, migrations: { '0001-users': users, ...before } });
  try {
    const { writer } = old.database;
    const times = { created_at: 1, updated_at: 2, published: 1 };
    await writer
      .insertInto('journal_posts')
      .values(buildPostRow({ id: 'p1', user_id: 'ada', ...times }))
      .execute();
    await writer.updateTable('post_search').set({ text: '\ufb01eber 50 \u00b5g' }).execute();
    const draft = {
      ...{ id: 'd1', user_id: 'ada', version: 1, state: 'draft', changed: 1, title: 'x', languages: '' },
      ...{ people: '', revisions: 0, revised_at: 1, created_at: 1, updated_at: 1, words: '\ufb01eber' },
      document: JSON.stringify({ title: '\ufb01eber', content: '', byline: [] }),
    };
    await writer.insertInto('post_drafts').values(draft).execute();
    const migrator = new Migrator({
      db: writer,
      provider: { getMigrations: async () => ({ '0001-users': users, ...migrations }) },
    });
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    const texts = await writer.selectFrom('post_search').select('text').execute();
    expect(texts).toEqual(Array(4).fill({ text: 'fieber 50 \u03bcg' }));
    const copies = await writer.selectFrom('post_drafts').select('words').execute();
    expect(copies).toEqual([{ words: expect.stringMatching(/^fieber\n/) }]);
    const since = Object.keys(migrations).filter((name) => name >= 'journal-0039');
    for (const name of since.toSorted().reverse()) {
      expect((await migrator.migrateDown()).results).toMatchObject([
        { migrationName: name, status: 'Success' },
      ]);
    }
    await writer.updateTable('journal_posts').set({ title_de: 'Später' }).execute();
    expect(await writer.selectFrom('searchable_posts').select('text_de').execute()).toEqual([
      { text_de: 'spater a muscle. ' },
    ]);
  } finally {
    await old.close();
  }
});

test('texts and working copies from before searches knew Markdown are found by their words after the migration', async () => {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < 'journal-0017'));
  const journal = { ...defineJournal({ id: 'journal' }), whenAccountIsDeleted: {}, tables: {} };
  const old = await openTestDatabase({ ...journal, migrations: { '0001-users': users, ...before } });
  try {
    const { writer } = old.database;
    const content = 'Hyper**tension**';
    const times = { created_at: 1, updated_at: 2, published: 1 };
    const post = buildPostRow({ id: 'p1', user_id: 'ada', content, content_format: 'markdown', ...times });
    await writer.insertInto('journal_posts').values(post).execute();
    const document = { title: 'Draft', content, contentFormat: 'markdown', byline: [{ name: 'Zoë' }] };
    const draft = {
      id: 'd1',
      user_id: 'ada',
      version: 1,
      state: 'draft',
      changed: 1,
      title: 'Draft',
      languages: '',
    };
    const more = { people: '', revisions: 0, revised_at: 1, created_at: 1, updated_at: 1 };
    await writer
      .insertInto('post_drafts')
      .values({ ...draft, ...more, document: JSON.stringify(document) })
      .execute();
    const migrator = new Migrator({
      db: writer,
      provider: { getMigrations: async () => ({ '0001-users': users, ...migrations }) },
    });
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    const texts = await writer.selectFrom('post_search').select('text').execute();
    expect(texts.map(({ text }) => text)).toEqual(Array(4).fill('heart hypertension '));
    expect(await writer.selectFrom('post_drafts').select('words').execute()).toEqual([
      { words: 'draft\nhypertension\nzoe' },
    ]);
    for (const name of Object.keys(migrations)
      .filter((name) => name >= 'journal-0017')
      .toReversed())
      expect((await migrator.migrateDown()).results).toMatchObject([
        { migrationName: name, status: 'Success' },
      ]);
    await writer.updateTable('journal_posts').set({ title: 'Later' }).execute();
    const [again] = await writer.selectFrom('post_search').select('text').execute();
    expect(again?.text).toBe('later hyper**tension** ');
  } finally {
    await old.close();
  }
});

describe('the bytes of a day that an account is counted for', () => {
  const ID = { post: 'post_1760000000000_a1b2c3d4', comment: 'comment_1760000000000' };
  /** Each of these letters becomes two or three where searches compare them. */
  const korean = '심장은 먼저 스스로를 먹여 살린다. '.repeat(500);
  const post = (at: number, over: PostRow = {}) =>
    buildPostRow({ id: `${ID.post}_${at}`, user_id: 'ada', content: 'x', title: 'x', ...over });
  const comment = (at: number) => ({
    id: `${ID.comment}_${at}`,
    post_id: `p${Math.floor(at / 90)}`,
    user_id: 'ada',
    content: 'x',
  });
  const like = (at: number) => ({ id: `like_1760000000000_${at}`, post_id: `p${at}`, user_id: 'ada' });
  const times = <T>(count: number, build: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => build(at));

  /** Bytes of the tables and indexes that hold rows of posts. */
  async function storedBytes({ database }: TestDatabase): Promise<number> {
    const [row] = await database.query(
      database.engine === 'sqlite'
        ? 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size'
        : `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
           WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
      [],
    );
    return Number(row?.bytes);
  }

  it.each<[string, string, object[]]>([
    [
      'long posts in one language',
      'journal_posts',
      times(30, (at) => post(at, { content: 'The heart feeds itself first. '.repeat(1_000) })),
    ],
    [
      'long posts in four languages',
      'journal_posts',
      times(15, (at) => {
        const contents = ['en', 'es', 'fr', 'de'].map((code) => [
          `content_${code}`,
          `${code} `.repeat(8_000),
        ]);
        return post(at, { content: 'The heart. '.repeat(2_000), ...Object.fromEntries(contents) });
      }),
    ],
    ['posts in Korean', 'journal_posts', times(15, (at) => post(at, { content: korean }))],
    ['posts of a word', 'journal_posts', times(990, post)],
    ['comments of a letter', 'post_comments', times(990, comment)],
    ['likes', 'post_likes', times(990, like)],
  ])('are those that the database grows by, by %s', async (_, table, rows) => {
    const limited = await openTestJournal({ rateLimit: true, rowsQuota: 50_000_000 });
    try {
      await limited.service('POST', 'journal_posts', {
        body: times(990, (at) => post(at, { id: `p${at}` })),
      });
      const before = await storedBytes(limited);
      const ada = limited.as({ kind: 'user', id: 'ada', email: '', displayName: 'Ada', role: 'author' });
      for (let at = 0; at < rows.length; at += 300) {
        const { status, body } = await ada('POST', table, { body: rows.slice(at, at + 300) });
        expect({ status, body }).toMatchObject({ status: 201 });
      }
      const grown = (await storedBytes(limited)) - before;
      const [counted] = await limited.database.query(
        "SELECT bytes FROM written_bytes WHERE user_id = 'ada'",
        [],
      );
      // Pages have a little room left.
      expect(grown).toBeLessThan(1.05 * Number(counted?.bytes));
    } finally {
      await limited.close();
    }
  });
});
