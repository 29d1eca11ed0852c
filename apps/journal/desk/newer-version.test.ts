import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../testing/open-test-desk.ts';

let desk: TestDesk;
let ada: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
});

afterAll(() => desk.close());

const PICTURE = { url: '/storage/journal/posts/2.png', credit: 'Mara' };
const SECOND = { url: '/storage/journal/posts/3.png' };
const CHANGES = {
  byline: [
    { name: 'Dr Ada', role: 'author' as const },
    { name: 'Dr Bea', role: 'translator' as const },
  ],
  translations: { de: { title: 'Das Herz', content: 'Das Herz ist ein Muskel, der pumpt.' } },
};

/** What a version that is not written yet has added at each place where a document has named keys. */
const added = (document: ReturnType<typeof buildDocument>) => ({
  ...document,
  subtitle: 'What it does',
  cover: { ...document.cover, artist: 'Vesalius' },
  pictures: document.pictures.map((picture, at) => ({ ...picture, artist: `Artist ${at}` })),
  byline: document.byline.map((person, at) => ({ ...person, orcid: `0000-${at}` })),
  translations: { ...document.translations, de: { ...document.translations.de, lead: 'Kurz' } },
  slugs: { ...document.slugs, it: 'il-cuore' },
});

const NEW_KEYS = ['subtitle', 'artist', 'orcid', 'lead', 'il-cuore'];

const draftOf = async (id: string) => JSON.parse((await desk.rows(`post_drafts?id=eq.${id}`))[0].document);
const read = async (id: string) => (await desk.call(ada, 'GET', `posts/${id}`)).body;

async function call(method: string, path: string, version: number, body?: unknown) {
  const response = await desk.call(ada, method, path, { version, body });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body;
}

/** Publishes a post, and has a newer version go over all that is stored of it. */
async function createWithNewKeys(): Promise<string> {
  const pictures = [PICTURE, SECOND] as unknown as ReturnType<typeof buildDocument>['pictures'];
  const { body } = await desk.call(ada, 'POST', 'posts', {
    body: { document: buildDocument({ ...CHANGES, pictures }) },
  });
  await call('POST', `posts/${body.id}/publish`, 1, {});
  const { writer } = desk.context.project.database;
  for (const [table, column] of [
    ['post_drafts', 'id'],
    ['post_revisions', 'post_id'],
  ] as const) {
    const stored = await writer.selectFrom(table).selectAll().where(column, '=', body.id).execute();
    for (const { id, document } of stored) {
      const changed = JSON.stringify(added(JSON.parse(document)));
      await writer.updateTable(table).set({ document: changed }).where('id', '=', id).execute();
    }
  }
  const post = (await desk.rows(`journal_posts?id=eq.${body.id}`))[0];
  const withKey = (json: string, key: object) =>
    JSON.stringify(JSON.parse(json).map((one: object) => ({ ...one, ...key })));
  const { de } = JSON.parse(post.translations);
  await writer
    .updateTable('journal_posts')
    .set({
      cover: JSON.stringify({ artist: 'Vesalius' }),
      pictures: withKey(post.pictures, { artist: 'Artist' }),
      byline: withKey(post.byline, { orcid: '0000' }),
      translations: JSON.stringify({ de: { ...de, quality: 3 } }),
    })
    .where('id', '=', body.id)
    .execute();
  return body.id;
}

test('a document of a newer version opens without the keys that this one does not know', async () => {
  const id = await createWithNewKeys();
  const { status, body } = await desk.call(ada, 'GET', `posts/${id}`);
  expect(status).toBe(200);
  expect(body.document).toMatchObject({ title: 'The heart', byline: CHANGES.byline });
  for (const key of NEW_KEYS) expect(JSON.stringify(body)).not.toContain(key);
  for (const path of ['translations', 'translations/de', 'revisions']) {
    expect(await desk.call(ada, 'GET', `posts/${id}/${path}`)).toMatchObject({ status: 200 });
  }
});

test('what a newer version has stored stays through edit, revision, restoration, discarding and publication', async () => {
  const id = await createWithNewKeys();
  const { document, version } = await read(id);
  const expected = added(document);
  // The pictures change places, and a person goes: what is said of each goes with it.
  const saved = await call('PUT', `posts/${id}`, version, {
    ...document,
    ...{ title: 'The heart, revised', translations: {}, untranslated: null },
    pictures: document.pictures.toReversed(),
    byline: document.byline.slice(1),
  });
  expect(await draftOf(id)).toMatchObject({
    subtitle: 'What it does',
    title: 'The heart, revised',
    cover: { artist: 'Vesalius' },
    pictures: [{ url: SECOND.url, artist: 'Artist 1' }, { artist: 'Artist 0' }],
    byline: [{ name: 'Dr Bea', orcid: '0000-1' }],
    translations: { de: { lead: 'Kurz' } },
    slugs: { it: 'il-cuore' },
  });

  const kept = await desk.call(ada, 'POST', `posts/${id}/revisions`, { body: { document } });
  expect(kept.status).toBe(201);
  const [revision] = await desk.rows(`post_revisions?id=eq.${kept.body.id}`);
  expect(JSON.parse(revision.document)).toMatchObject({
    subtitle: 'What it does',
    pictures: [{ artist: 'Artist 0' }, { artist: 'Artist 1' }],
  });
  const { body: shown } = await desk.call(ada, 'GET', `posts/${id}/revisions/${kept.body.id}`);
  for (const key of NEW_KEYS) expect(JSON.stringify(shown)).not.toContain(key);
  const { revisions } = (await desk.call(ada, 'GET', `posts/${id}/revisions`)).body;
  const first = revisions.find(({ number }: { number: number }) => number === 1).id;
  const restored = await call('POST', `posts/${id}/revisions/${first}/restore`, saved.version);
  const { translations: _, ...withoutTexts } = expected;
  expect(await draftOf(id)).toMatchObject({ ...withoutTexts, translations: { de: { lead: 'Kurz' } } });
  for (const key of NEW_KEYS) expect(JSON.stringify(restored)).not.toContain(key);

  const published = await call('POST', `posts/${id}/publish`, restored.version, {});
  const [post] = await desk.rows(`journal_posts?id=eq.${id}`);
  expect(JSON.parse(post.cover)).toMatchObject({ artist: 'Vesalius' });
  expect(JSON.parse(post.pictures)).toMatchObject([{ artist: 'Artist 0' }, { artist: 'Artist 1' }]);
  expect(JSON.parse(post.byline)).toMatchObject([{ orcid: '0000-0' }, { orcid: '0000-1' }]);

  const edited = await call('PUT', `posts/${id}`, published.version, { ...document, title: 'Another' });
  await call('POST', `posts/${id}/discard`, edited.version);
  expect(await draftOf(id)).toMatchObject({ title: 'The heart', subtitle: 'What it does' });
});

test('a post of a newer version keeps what that says when another program changes its columns', async () => {
  const id = await createWithNewKeys();
  desk.clock.now += 1;
  const path = `/api/db/journal/rest/v1/journal_posts?id=eq.${id}`;
  const patched = await desk.call(ada, 'PATCH', path, { body: { title: 'The heart, from elsewhere' } });
  expect(patched.status).toBe(204);
  expect(await read(id)).toMatchObject({ document: { title: 'The heart, from elsewhere' }, changed: false });
  expect(await draftOf(id)).toMatchObject({ subtitle: 'What it does', cover: { artist: 'Vesalius' } });
});

test('requests may name no key that this version does not know', async () => {
  const { body } = await desk.call(ada, 'POST', 'posts', { body: { document: buildDocument(CHANGES) } });
  const document = added(buildDocument(CHANGES));
  expect(await desk.call(ada, 'PUT', `posts/${body.id}`, { version: 1, body: document })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('Unrecognized key: "subtitle"') },
  });
  await call('POST', `posts/${body.id}/publish`, 1, {});
  const path = `/api/db/journal/rest/v1/journal_posts?id=eq.${body.id}`;
  const patched = await desk.call(ada, 'PATCH', path, { body: { cover: '{"artist":"Vesalius"}' } });
  expect(patched.status).toBe(400);
});
