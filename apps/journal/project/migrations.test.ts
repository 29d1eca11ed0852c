import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildPostRow, openTestJournal, users } from '../testing/open-test-journal.ts';
import { explainQuery } from '../testing/query-plan.ts';
import { migrations } from './migrations.ts';
import { defineJournal } from './project.ts';

let db: TestDatabase;

/** Collects the SQL of every statement that reads, as the engine receives it. */
const statements: string[] = [];

beforeAll(async () => {
  db = await openTestJournal();
  const { values } = db.database;
  db.database.values = (text, parameters) => {
    statements.push(text);
    return values(text, parameters);
  };
});

afterAll(() => db.close());

/**
 * These are the queries of docs/spec/product.md section 7, and those of the screens that page and count the same
 * rows.
 */
test.each([
  'journal_posts?select=id,title,title_en,image_url,image_width,image_height,image_placeholder,created_at&published=eq.1&order=created_at.desc&limit=24',
  'journal_posts?id=eq.p1',
  'post_likes?post_id=eq.p1',
  'post_likes?post_id=eq.p1&user_id=eq.ada',
  'post_comments?post_id=eq.p1&order=created_at.desc',
  'comment_likes?comment_id=eq.c1',
  'comment_likes?comment_id=eq.c1&user_id=eq.ada',
  'comment_likes?comment_id=in.(c1,c2,c3)&user_id=eq.ada',
  'profiles?id=eq.ada',
  'searchable_posts?select=id,title,title_de,image_url,created_at&published=eq.1&text_de=like.*herz*&order=created_at.desc&limit=24',
])('the query %s uses indexes, for readers and for authors', async (path) => {
  const author = db.as({
    kind: 'user',
    id: 'ada',
    email: 'ada@example.org',
    displayName: null,
    role: 'author',
  });
  // Nobody but an account finds likes by whose they are, and PostgreSQL looks at none then.
  for (const send of path.includes('user_id=') ? [author] : [db.anonymous, author]) {
    statements.length = 0;
    expect((await send('GET', path)).status).toBe(200);
    expect(statements).not.toEqual([]);
    for (const statement of statements) {
      const { usesIndexes, sorts } = await explainQuery(db.database, statement);
      expect(usesIndexes).toBe(true);
      if (path.includes('order=')) expect(sorts).toBe(false);
    }
  }
});

test('the second page of the gallery is found through an index too', async () => {
  for (let at = 0; at < 3; at += 1) {
    await db.service('POST', 'journal_posts', {
      body: { id: `p${at}`, user_id: 'ada', title: 'x', content: 'x', image_url: '/x.png', created_at: 1 },
    });
  }
  const gallery = 'journal_posts?published=eq.1&order=created_at.desc&limit=1';
  const { headers } = await db.anonymous('GET', gallery);
  statements.length = 0;
  const { body } = await db.anonymous('GET', `${gallery}&cursor=${headers.get('x-next-cursor')}`);
  expect(body).toMatchObject([{ id: 'p1' }]);
  const { usesIndexes, sorts, conditions } = await explainQuery(db.database, statements[0] ?? '');
  expect({ usesIndexes, sorts }).toEqual({ usesIndexes: true, sorts: false });
  // The index finds the start of the page too, not only the list that the page belongs to.
  expect(conditions).toMatch(/published ?= ?\?.*\(created_at,id\)<|published = .*ROW\(created_at, id\) </);
});

/** Opens a database with the migrations before this one; `migrate` runs it and the later ones. */
async function openBefore(first: string) {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < first));
  const journal = { ...defineJournal({ id: 'journal' }), whenAccountIsDeleted: {}, tables: {} };
  const { database, close } = await openTestDatabase({
    ...journal,
    migrations: { '0001-users': users, ...before },
  });
  onTestFinished(close);
  return {
    writer: database.writer,
    columns: (table: string) => database.columns(table),
    async migrate() {
      const provider = { getMigrations: async () => ({ '0001-users': users, ...migrations }) };
      const migrator = new Migrator({ db: database.writer, provider });
      expect((await migrator.migrateToLatest()).error).toBeUndefined();
    },
  };
}

test('the migration that adds image sizes keeps the texts, likes and comments of earlier posts', async () => {
  const old = await openBefore('journal-0003');
  const { writer } = old;
  const texts = {
    content: 'A muscle.',
    content_en: 'A muscle.',
    content_de: 'Ein Muskel.',
    content_fr: null,
  };
  const times = { created_at: 1, updated_at: 2, published: 1 };
  await writer
    .insertInto('journal_posts')
    .values(buildPostRow({ id: 'p1', user_id: 'ada', ...texts, ...times }))
    .execute();
  const like = { id: 'l1', post_id: 'p1', user_id: 'ben', created_at: 3 };
  const comment = { ...like, id: 'c1', user_name: 'Ben', content: 'Mine too.' };
  await writer.insertInto('post_likes').values(like).execute();
  await writer.insertInto('post_comments').values(comment).execute();

  await old.migrate();

  const [post] = await writer.selectFrom('journal_posts').selectAll().execute();
  const noImage = { image_width: null, image_height: null, image_placeholder: null, untranslated: null };
  expect(post).toMatchObject({
    ...buildPostRow({ id: 'p1', user_id: 'ada' }),
    ...texts,
    ...times,
    ...noImage,
  });
  expect(await writer.selectFrom('post_likes').selectAll().execute()).toEqual([like]);
  expect(await writer.selectFrom('post_comments').selectAll().execute()).toEqual([comment]);
  // Lists are read without the texts, which come after the columns of a list.
  const columns = (await old.columns('journal_posts')).map(({ name }) => name);
  expect(columns.indexOf('image_placeholder')).toBeLessThan(columns.indexOf('content'));
});

test('the migration of comments’ names leaves no e-mail address in public', async () => {
  const old = await openBefore('journal-0008');
  const { writer } = old;
  const accounts = [
    { id: 'ana', email: 'ana@example.org', display_name: 'Ana P.' },
    { id: 'ben', email: 'ben@example.org', display_name: null },
  ];
  await writer.insertInto('users').values(accounts).execute();
  const times = { created_at: 1, updated_at: 2, published: 1 };
  const post = buildPostRow({ id: 'p1', user_id: 'ana', content: 'A muscle.', ...times });
  await writer.insertInto('journal_posts').values(post).execute();
  const comment = (id: string, userId: string, name: string) => ({
    id,
    post_id: 'p1',
    user_id: userId,
    user_name: name,
    content: 'Mail me: x@example.org',
    created_at: 3,
  });
  const comments = [
    comment('c1', 'ana', 'ana@example.org'),
    comment('c2', 'ana', 'Ana'),
    comment('c3', 'ben', 'ben@example.org'),
    comment('c4', 'gone', 'gone@example.org'),
    comment('c5', 'ben', 'Ben @ St. Mary'),
  ];
  await writer.insertInto('post_comments').values(comments).execute();
  await old.migrate();
  const rows = await writer.selectFrom('post_comments').selectAll().orderBy('id').execute();
  const names = ['Ana P.', 'Ana', 'Anonymous', 'Anonymous', 'Ben @ St. Mary'];
  expect(rows).toEqual(comments.map((row, at) => ({ ...row, user_name: names[at] })));
});

test('the migration of bylines leaves no e-mail address in posts, working copies and revisions', async () => {
  const old = await openBefore('journal-0022');
  const { writer } = old;
  const accounts = [
    { id: 'ana', email: 'ana@example.org', display_name: 'Ana P.' },
    { id: 'ben', email: 'ben@example.org', display_name: 'ben@example.org' },
  ];
  await writer.insertInto('users').values(accounts).execute();
  const people = [
    [{ name: 'ana@example.org', role: 'author', userId: 'ana' }, 'Ana P.'],
    [{ name: 'ben@example.org', role: 'author', userId: 'ben' }, 'Anonymous'],
    [{ name: 'Dr. Cleo Frey <cleo@example.org>', role: 'translator' }, 'Dr. Cleo Frey'],
    [{ name: '(dan@mail.example.org)', role: 'illustrator', userId: 'gone' }, 'Anonymous'],
    [{ name: 'Eve @ St. Mary', role: 'author' }, 'Eve @ St. Mary'],
  ] as const;
  const named = people.map(([person]) => person);
  const cleaned = people.map(([person, name]) => ({ ...person, name }));
  const text = 'Mail me: x@example.org';
  const document = (byline: unknown) => JSON.stringify({ title: 'Heart', content: text, byline });
  const times = { created_at: 1, updated_at: 2, published: 1 };
  const post = {
    ...buildPostRow({ id: 'p1', user_id: 'ana', content: text, ...times }),
    byline: JSON.stringify(named),
  };
  const without = { ...buildPostRow({ id: 'p2', user_id: 'ana', content: text, ...times }), byline: null };
  await writer.insertInto('journal_posts').values([post, without]).execute();
  const draft = {
    ...{
      id: 'p1',
      user_id: 'ana',
      version: 3,
      state: 'published',
      changed: 0,
      title: 'Heart',
      languages: '',
    },
    ...{ people: ',ana,ben,gone,', revisions: 1, revised_at: 1, words: 'ana@example.org' },
    ...{ created_at: 1, updated_at: 2, document: document(named) },
  };
  await writer.insertInto('post_drafts').values(draft).execute();
  // More than are changed at a time.
  const revision = (number: number) => ({
    ...{
      id: `revision_${1_000 + number}`,
      post_id: 'p1',
      user_id: 'ana',
      number,
      kind: 'saved',
      created_at: 1,
    },
    document: document(number === 120 ? named : []),
  });
  const revisions = Array.from({ length: 120 }, (_, at) => revision(at + 1));
  await writer.insertInto('post_revisions').values(revisions).execute();

  await old.migrate();
  const posts = await writer
    .selectFrom('journal_posts')
    .select(['id', 'byline', 'content', 'updated_at'])
    .orderBy('id')
    .execute();
  expect(posts).toEqual([
    { id: 'p1', byline: JSON.stringify(cleaned), content: text, updated_at: 2 },
    { id: 'p2', byline: null, content: text, updated_at: 2 },
  ]);
  const copy = await writer.selectFrom('post_drafts').selectAll().executeTakeFirstOrThrow();
  expect(copy).toMatchObject({ version: 3, document: document(cleaned) });
  expect(copy.words).toContain('cleo frey');
  expect(copy.words).not.toContain('ana@example.org');
  const last = await writer
    .selectFrom('post_revisions')
    .select('document')
    .where('number', '=', 120)
    .execute();
  expect(last).toEqual([{ document: document(cleaned) }]);
});

test('the migration of doubtful translations holds them back, keeps them released, and says no more that numbers were compared', async () => {
  const old = await openBefore('journal-0031');
  const { writer } = old;
  const put = (table: string, row: object) =>
    (writer as Kysely<Record<string, object>>).insertInto(table).values(row).execute();
  const times = { created_at: 1, updated_at: 2, published: 1 };
  const hash = (name: string) => name.padEnd(16, '_');
  const listed = ['title', 'content'].map((part) => ({ id: part, part, kind: part, hash: hash(part) }));
  const fact = {
    reviewedBy: null,
    reviewedAt: null,
    releasedAt: 5,
    hashes: [],
    checked: true,
    by: 'machine',
  };
  const languages = {
    de: {
      findings: [{ kind: 'language', severity: 'warning' }],
      state: 'machine',
      blocks: 1,
      checked: false,
    },
    fr: { findings: [{ kind: 'link', severity: 'warning' }], state: 'reviewed', blocks: 0, checked: false },
    es: { findings: [{ kind: 'missing', severity: 'warning' }], state: 'edited', blocks: 0, checked: false },
    en: { findings: null, state: 'machine', blocks: 0, checked: true },
  };
  const ids = Array.from({ length: 60 }, (_, at) => `p${100 + at}`);
  for (const id of ids) {
    const translations = JSON.stringify(Object.fromEntries(Object.keys(languages).map((one) => [one, fact])));
    await put('journal_posts', { ...buildPostRow({ id, user_id: 'ada' }), ...times, translations });
    await put('post_segments', { id, version: 1, updated_at: 1, segments: JSON.stringify(listed) });
    for (const [language, { findings, state }] of Object.entries(languages)) {
      const of = { post_id: id, language, updated_at: 1 };
      const counts = { missing: 0, machine: 2, edited: 0, reviewed: 0, outdated: 0, blocked: 0 };
      await put('post_languages', {
        id: `${id}_${language}`,
        ...of,
        ...counts,
        state: 'released',
        rule: 'checked',
      });
      for (const part of ['title', 'content']) {
        await put('segment_translations', {
          ...{
            id: `${id}_${part}_${language}`,
            ...of,
            segment_id: part,
            state,
            writer_kind: 'model',
            version: 1,
          },
          ...{ source_hash: hash(part), source_text: 'x', text: 'y', blocks: 0 },
          findings: part === 'content' && findings ? JSON.stringify(findings) : null,
        });
      }
    }
  }
  const check = async () => {
    for (const [language, { blocks, checked }] of Object.entries(languages)) {
      const { rows: counted } = await sql<{
        blocked: number;
        state: string;
        post_id: string;
      }>`SELECT DISTINCT blocked, state
        FROM post_languages WHERE language = ${language}`.execute(writer);
      expect(counted.map(({ blocked, state }) => [Number(blocked), state])).toEqual([[blocks, 'released']]);
      const { rows: posts } = await sql<{
        translations: string;
      }>`SELECT DISTINCT translations FROM journal_posts`.execute(writer);
      expect(posts.map(({ translations }) => JSON.parse(translations)[language])).toEqual([
        { ...fact, checked },
      ]);
    }
  };
  for (const _ of ['once', 'and again']) {
    await migrations['journal-0031-doubtful-translations']?.up(writer as never);
    await check();
  }
});
