import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Byline } from '../project/document.ts';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../testing/open-test-desk.ts';
import { KEEP_EVERY_MS } from './write-copy.ts';

let desk: TestDesk;
let ada: Person;
let eda: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
  eda = await desk.person('Eda', 'editor');
});

afterAll(() => desk.close());

beforeEach(() => {
  desk.events.length = 0;
});

const { title, content } = buildDocument();

async function create(changes = {}, as = ada): Promise<string> {
  const { status, body } = await desk.call(as, 'POST', 'posts', {
    body: { document: buildDocument(changes) },
  });
  expect(status).toBe(201);
  return body.id;
}

async function publish(id: string, version: number, as = ada) {
  const published = await desk.call(as, 'POST', `posts/${id}/publish`, { version, body: {} });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  return published.body;
}

const save = (id: string, version: number, changes = {}, as = ada) =>
  desk.call(as, 'PUT', `posts/${id}`, { version, body: buildDocument(changes) });
const read = async (id: string, as = ada) => (await desk.call(as, 'GET', `posts/${id}`)).body;
const readersPost = async (id: string) => (await desk.rows(`journal_posts?id=eq.${id}`))[0];

test('readers see nothing of a post before it is published, and then all of it, announced once', async () => {
  const id = await create({
    translations: { de: { title: 'Das Herz', content: 'Das Herz ist ein Muskel.' } },
    byline: [{ name: 'Dr Ada', role: 'author' }],
    sources: [{ id: 'harvey', type: 'book', title: 'De motu cordis' }],
  });
  expect(await readersPost(id)).toBeUndefined();
  const draft = await read(id);
  expect(draft).toMatchObject({ version: 1, state: 'draft', changed: true, publishedDocument: null });
  expect(draft.can).toEqual({ edit: true, publish: true, delete: true, describePictures: false });

  expect(await publish(id, 1)).toMatchObject({ state: 'published', version: 2 });
  expect(await readersPost(id)).toMatchObject({
    ...{ user_id: ada.id, title, content, title_de: 'Das Herz', published: 1, language: 'en' },
    ...{ image_url: '/storage/journal/posts/1.png', image_width: 800, content_format: null, cover: null },
    byline: '[{"name":"Dr Ada","role":"author"}]',
    sources: '[{"id":"harvey","type":"book","title":"De motu cordis"}]',
  });
  expect(desk.events.filter(({ table }) => table === 'journal_posts')).toMatchObject([
    { operation: 'create', id, after: { published: 1 } },
  ]);
  const after = await read(id);
  expect(after).toMatchObject({
    state: 'published',
    changed: false,
    slugs: { en: 'the-heart', de: 'das-herz' },
  });
  expect(after.publishedDocument).toEqual(after.document);
});

test('changes of a published post are the author’s alone until they are published', async () => {
  const id = await create();
  await publish(id, 1);
  const before = await readersPost(id);
  const saved = await save(id, 2, { content: '5 mg, not 50 mg.' });
  expect(saved).toMatchObject({ status: 200, body: { version: 3 } });
  expect(saved.headers.get('etag')).toBe('"3"');
  expect(await readersPost(id)).toEqual(before);
  expect(await read(id)).toMatchObject({ changed: true, state: 'published' });
  await publish(id, 3);
  const after = await readersPost(id);
  expect(after).toMatchObject({ content: '5 mg, not 50 mg.', created_at: before.created_at, published: 1 });
  expect(after.updated_at).toBeGreaterThan(before.updated_at);
});

test('the second of two authors to save a version is told, with both versions, and neither is lost', async () => {
  const id = await create();
  expect((await save(id, 1, { title: 'By Ada' })).status).toBe(200);
  const stale = await save(id, 1, { title: 'By Eda' }, eda);
  expect(stale).toMatchObject({
    status: 412,
    body: {
      code: 'STALE',
      details: {
        current: { version: 2, document: { title: 'By Ada' }, updatedBy: { id: ada.id, name: 'Ada' } },
      },
    },
  });
  expect((await save(id, 2, { title: 'By both' }, eda)).status).toBe(200);
  // What Ada wrote last is kept when somebody else writes over it.
  const { body } = await desk.call(ada, 'GET', `posts/${id}/revisions`);
  expect(body.revisions).toMatchObject([{ number: 1, kind: 'saved', by: { id: ada.id, name: 'Ada' } }]);
  const { body: kept } = await desk.call(ada, 'GET', `posts/${id}/revisions/${body.revisions[0].id}`);
  expect(kept.document.title).toBe('By Ada');
  const unnamed = await desk.call(ada, 'PUT', `posts/${id}`, { body: buildDocument() });
  expect(unnamed).toMatchObject({ status: 428, body: { code: 'PRECONDITION_REQUIRED' } });
});

test('a post without title, text or image is saved and not published', async () => {
  const id = await create({ title: ' ', content: '', cover: null });
  const refused = await desk.call(ada, 'POST', `posts/${id}/publish`, { version: 1, body: {} });
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect(refused.body.details.map(({ field }: { field: string }) => field)).toEqual([
    'title',
    'content',
    'cover',
  ]);
});

test('a document beyond the limits, or with an e-mail address for a name, is refused with its field and never cut', async () => {
  const tooLong = { title: 'x'.repeat(301), content: 'x'.repeat(100_001) };
  const { body: error } = await desk.call(ada, 'POST', 'posts', {
    body: { document: { ...buildDocument(), ...tooLong } },
  });
  expect(error.details).toMatchObject([
    { field: 'document.title', kind: 'too-long' },
    { field: 'document.content', kind: 'too-long' },
  ]);
  for (const [field, document] of [
    ['slugs.en', { ...buildDocument(), slugs: { en: 'Not A Slug' } }],
    ['pictures.0.url', { ...buildDocument(), pictures: [{ url: 'data:image/png;base64,AA' }] }],
    [
      'pictures',
      { ...buildDocument(), pictures: Array.from({ length: 25 }, (_, at) => ({ url: `/storage/${at}` })) },
    ],
    ['cover.url', { ...buildDocument(), cover: { url: 'javascript:alert(1)' } }],
    ['byline.0.role', { ...buildDocument(), byline: [{ name: 'Ada', role: 'king' }] }],
    ['byline', { ...buildDocument(), byline: [{ name: 'ada@example.org', role: 'author' }] }],
  ] as const) {
    const { status, body } = await desk.call(ada, 'POST', 'posts', { body: { document } });
    expect({ status, field: body.details[0].field }).toEqual({ status: 400, field: `document.${field}` });
  }
  // The space around a text does not count, as in the counter of its field.
  const whole = await create({ title: `${'😀'.repeat(300)} ` });
  expect(await publish(whole, 1)).toMatchObject({ state: 'published' });
});

test('a creation that is sent twice makes one post, and no other account takes its id', async () => {
  const body = { id: 'post_1_twice', document: buildDocument() };
  expect((await desk.call(ada, 'POST', 'posts', { body })).status).toBe(201);
  expect(await desk.call(ada, 'POST', 'posts', { body })).toMatchObject({
    status: 200,
    body: { version: 1 },
  });
  expect((await desk.call(eda, 'POST', 'posts', { body })).status).toBe(409);
});

test('discarded changes come back by the revision that the discard names', async () => {
  const id = await create();
  await publish(id, 1);
  await save(id, 2, { title: 'A better title' });
  const { body } = await desk.call(ada, 'POST', `posts/${id}/discard`, { version: 3 });
  expect(await read(id)).toMatchObject({ version: 4, changed: false, document: { title } });
  const undone = await desk.call(ada, 'POST', `posts/${id}/revisions/${body.undo}/restore`, { version: 4 });
  expect(undone).toMatchObject({ status: 200, body: { version: 5, document: { title: 'A better title' } } });
  expect(await read(id)).toMatchObject({ changed: true });
});

test('a discarded draft is in no list, can be taken back, and is gone after 30 days', async () => {
  const id = await create({ title: 'A draft to discard' });
  const { body } = await desk.call(ada, 'POST', `posts/${id}/discard`, { version: 1 });
  const listed = async () => (await desk.call(ada, 'GET', 'posts?search=to%20discard')).body.posts.length;
  expect(await listed()).toBe(0);
  const restore = `posts/${id}/revisions/${body.undo}/restore`;
  expect((await desk.call(ada, 'POST', restore, { version: 2 })).status).toBe(200);
  expect(await listed()).toBe(1);
  await desk.call(ada, 'POST', `posts/${id}/discard`, { version: 3 });
  desk.clock.now += 31 * 24 * 3_600_000;
  // A post that is due at once has the schedule look, which cleans up too.
  const other = await create();
  await desk.call(ada, 'POST', `posts/${other}/publish`, { version: 1, body: { at: desk.clock.now + 5 } });
  await expect.poll(async () => (await desk.rows(`post_drafts?id=eq.${id}`)).length).toBe(0);
});

test('autosaves are kept every five minutes of writing', async () => {
  const id = await create();
  for (let version = 1; version <= 12; version += 1) {
    desk.clock.now += 60_000;
    expect((await save(id, version, { title: `Title ${version}` })).status).toBe(200);
  }
  const { revisions } = (await desk.call(ada, 'GET', `posts/${id}/revisions`)).body;
  expect(revisions.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
  expect(revisions[0].createdAt - revisions[1].createdAt).toBe(KEEP_EVERY_MS);
});

test('the trail of autosaves thins out as it ages, and publications stay', async () => {
  const [hour, day] = [3_600_000, 24 * 3_600_000];
  const id = await create();
  let { version } = await publish(id, 1);
  const saveAfter = async (ms: number) => {
    desk.clock.now += ms;
    version = (await save(id, version, { title: `Title ${version}` })).body.version;
  };
  /** Returns when what is kept of a kind was written. */
  const kept = async (wanted: 'saved' | 'published'): Promise<number[]> => {
    const { revisions } = (await desk.call(ada, 'GET', `posts/${id}/revisions`)).body;
    return revisions.flatMap(({ kind, createdAt }: Record<string, unknown>) =>
      kind === wanted ? [createdAt] : [],
    );
  };
  /** Expects one of each span among those that are older than `age`. */
  const expectOneOfEach = async (span: number, age: number) => {
    const older = (await kept('saved')).filter((at) => desk.clock.now - at > age);
    expect(older.length).toBeGreaterThan(0);
    expect(new Set(older.map((at) => Math.floor(at / span))).size).toBe(older.length);
  };
  for (let count = 0; count < 24; count += 1) await saveAfter(hour / 6);
  expect((await kept('saved')).filter((at) => desk.clock.now - at <= hour)).toHaveLength(6);
  await expectOneOfEach(hour, hour);
  await saveAfter(3 * day);
  await expectOneOfEach(day, day);
  await saveAfter(40 * day);
  await expectOneOfEach(30 * day, 30 * day);
  expect(await kept('published')).toHaveLength(1);
});

test('a link to a preview leads nowhere once it has expired, and its row goes', async () => {
  const id = await create();
  const made = await desk.call(ada, 'POST', `posts/${id}/preview`, { body: { days: 2 } });
  const token = new URL(made.body.url).pathname.split('/').at(-1);
  const open = async () => (await desk.call(ANONYMOUS, 'GET', `preview?token=${token}`)).status;
  expect(await open()).toBe(200);
  desk.clock.now = made.body.expiresAt - 1;
  expect(await open()).toBe(200);
  desk.clock.now = made.body.expiresAt;
  expect(await open()).toBe(404);
  desk.clock.now += 2 * 3_600_000;
  const other = await create();
  await desk.call(ada, 'POST', `posts/${other}/publish`, { version: 1, body: { at: desk.clock.now + 5 } });
  await expect.poll(async () => (await desk.rows(`post_previews?post_id=eq.${id}`)).length).toBe(0);
});

test('links to a preview are listed with their givers, and each is withdrawn by itself', async () => {
  const id = await create();
  const made = await desk.call(ada, 'POST', `posts/${id}/preview`, { body: { days: 2 } });
  const other = await desk.call(eda, 'POST', `posts/${id}/preview`, { body: { days: 30 } });
  const open = ({ body }: typeof made) =>
    desk.call(ANONYMOUS, 'GET', `preview?token=${new URL(body.url).pathname.split('/').at(-1)}`);
  const list = async () => (await desk.call(ada, 'GET', `posts/${id}/preview`)).body.previews;
  expect(await list()).toHaveLength(2);
  expect(await list()).toEqual(
    expect.arrayContaining([
      {
        ...{ id: made.body.id, by: { id: ada.id, name: 'Ada' }, works: true },
        ...{ createdAt: desk.clock.now, expiresAt: made.body.expiresAt },
      },
      expect.objectContaining({ by: { id: eda.id, name: 'Eda' }, expiresAt: other.body.expiresAt }),
    ]),
  );
  const elsewhere = await create();
  await desk.call(ada, 'DELETE', `posts/${elsewhere}/preview/${made.body.id}`);
  expect((await open(made)).status).toBe(200);
  expect((await desk.call(ada, 'DELETE', `posts/${id}/preview/${made.body.id}`)).status).toBe(204);
  expect([(await open(made)).status, (await open(other)).status]).toEqual([404, 200]);
  expect(await list()).toMatchObject([{ id: other.body.id }]);
  expect((await desk.call(ada, 'DELETE', `posts/${id}/preview`)).status).toBe(204);
  expect((await open(other)).status).toBe(404);
});

test('a link to a preview leads nowhere while whoever gave it may not edit the post', async () => {
  const tia = await desk.person('Tia', 'author');
  const named: Byline = [{ name: 'Tia', role: 'translator', userId: tia.id }];
  const id = await create({ byline: named });
  const { body } = await desk.call(tia, 'POST', `posts/${id}/preview`, { body: { days: 30 } });
  const token = new URL(body.url).pathname.split('/').at(-1);
  const open = async () => (await desk.call(ANONYMOUS, 'GET', `preview?token=${token}`)).status;
  const works = async () => {
    const [link] = (await desk.call(ada, 'GET', `posts/${id}/preview`)).body.previews;
    expect(link).toMatchObject({ by: { name: 'Tia' } });
    return [link.works, await open()];
  };
  expect(await works()).toEqual([true, 200]);
  await save(id, 1, { byline: [] });
  expect(await works()).toEqual([false, 404]);
  await save(id, 2, { byline: named });
  expect(await works()).toEqual([true, 200]);
  const { writer } = desk.context.project.database;
  const disable = (at: number | null) =>
    writer.updateTable('users').set({ disabled_at: at }).where('id', '=', tia.id).execute();
  await disable(1);
  expect(await works()).toEqual([false, 404]);
  await disable(null);
  expect(await works()).toEqual([true, 200]);
  // A row that says more than 30 days, as no version of the desk has written it, is none that lasts longer.
  await writer.updateTable('post_previews').set({ expires_at: 9e15 }).where('id', '=', body.id).execute();
  desk.clock.now += 30 * 86_400_000;
  expect(await open()).toBe(404);
});

test('a time zone that nobody has is refused, also beside a time that needs none', async () => {
  const id = await create();
  const body = { at: desk.clock.now + 3_600_000, timeZone: 'Mars/Base' };
  expect(await desk.call(ada, 'POST', `posts/${id}/publish`, { version: 1, body })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'timeZone' }] },
  });
});

test('an unpublished post keeps its likes and comes back with them', async () => {
  const id = await create();
  await publish(id, 1);
  const like = { post_id: id, user_id: eda.id };
  await desk.call(eda, 'POST', '/api/db/journal/rest/v1/post_likes', { body: like });
  const hidden = await desk.call(ada, 'POST', `posts/${id}/unpublish`, { version: 2 });
  expect(hidden).toMatchObject({ status: 200, body: { state: 'unpublished', version: 3 } });
  expect(await readersPost(id)).toMatchObject({ published: 0 });
  const told = desk.events.findLast(({ table }) => table === 'journal_posts');
  expect(told).toMatchObject({ id, operation: 'update' });
  await publish(id, 3);
  expect(await desk.rows(`post_likes?post_id=eq.${id}`)).toHaveLength(1);
});

test('a post that another client wrote is edited like any other, and a change by one is seen before it is replaced', async () => {
  const path = '/api/db/journal/rest/v1/journal_posts';
  const row = {
    id: 'post_foreign',
    user_id: ada.id,
    title: 'Foreign',
    content: 'Plain.',
    image_url: '/x.png',
  };
  expect((await desk.call(ada, 'POST', path, { body: row })).status).toBe(201);
  expect(await read('post_foreign')).toMatchObject({
    version: 0,
    state: 'published',
    document: { title: 'Foreign' },
  });
  expect((await desk.call(ada, 'GET', 'posts?search=foreign')).body.posts).toMatchObject([
    { id: 'post_foreign', state: 'published', owner: { name: 'Ada' } },
  ]);
  expect((await save('post_foreign', 0, { title: 'At the desk' })).body).toMatchObject({ version: 2 });

  const change = { title: 'Changed elsewhere' };
  desk.clock.now += 10;
  await desk.call(ada, 'PATCH', `${path}?id=eq.post_foreign`, { body: change });
  const { elsewhere } = await read('post_foreign');
  expect(elsewhere.document.title).toBe('Changed elsewhere');
  const refused = await desk.call(ada, 'POST', 'posts/post_foreign/publish', { version: 2, body: {} });
  expect(refused).toMatchObject({ status: 412, body: { details: { elsewhere: { document: change } } } });
  expect(await readersPost('post_foreign')).toMatchObject(change);
  const seen = await desk.call(ada, 'POST', 'posts/post_foreign/publish', {
    version: 2,
    body: { replaces: elsewhere.updatedAt },
  });
  expect(seen.status).toBe(200);
  expect(await readersPost('post_foreign')).toMatchObject({ title: 'At the desk' });

  // A working copy without changes of its own follows what the other program writes.
  await desk.call(ada, 'PATCH', `${path}?id=eq.post_foreign`, { body: { title: 'Again' } });
  expect(await read('post_foreign')).toMatchObject({
    changed: false,
    elsewhere: null,
    document: { title: 'Again' },
  });
});

test('deleting a post deletes everything of it, also by another client', async () => {
  const tables = [
    'post_drafts',
    'journal_posts',
    'post_revisions',
    'post_slugs',
    'post_previews',
    'post_files',
  ];
  const count = async (id: string) => {
    const counts = tables.map(async (table) => {
      const column = table === 'post_drafts' || table === 'journal_posts' ? 'id' : 'post_id';
      return (await desk.rows(`${table}?${column}=eq.${id}`)).length;
    });
    return Promise.all(counts);
  };
  const remove = {
    'by the desk': (id: string) => desk.call(ada, 'DELETE', `posts/${id}`),
    'by another client': (id: string) =>
      desk.call(ada, 'DELETE', `/api/db/journal/rest/v1/journal_posts?id=eq.${id}`),
  };
  for (const [name, act] of Object.entries(remove)) {
    const id = await create();
    await publish(id, 1);
    expect((await desk.call(ada, 'POST', `posts/${id}/preview`)).status).toBe(201);
    expect(await count(id)).toEqual([1, 1, 1, 1, 1, 1]);
    expect((await act(id)).status, name).toBe(204);
    expect(await count(id), name).toEqual([0, 0, 0, 0, 0, 0]);
  }
});

test('of several posts each is unpublished or deleted by itself', async () => {
  const [own, draft] = [await create(), await create()];
  await publish(own, 1);
  const ids = [own, draft, 'post_none'];
  const { body: unpublished } = await desk.call(ada, 'POST', 'posts/unpublish', { body: { ids } });
  expect(unpublished.results).toMatchObject([
    { id: own, error: null },
    { id: draft, error: { code: 'CONFLICT' } },
    { id: 'post_none', error: { code: 'NOT_FOUND' } },
  ]);
  const { body: deleted } = await desk.call(ada, 'POST', 'posts/delete', { body: { ids } });
  expect(deleted.results.map(({ error }: { error: unknown }) => error === null)).toEqual([true, true, false]);
});

test('the list is filtered, searched and paged by a cursor, with views and languages', async () => {
  const titles = ['Página una', 'Página dos', 'Página tres'];
  for (const one of titles) {
    desk.clock.now += 1_000;
    const es = { title: one, content: 'El corazón es un músculo que bombea la sangre.' };
    await create({ title: one, translations: { es } });
  }
  const query = 'posts?search=p%C3%81gina&state=draft&language=es&limit=2';
  const first = (await desk.call(ada, 'GET', query)).body;
  const second = (await desk.call(ada, 'GET', `${query}&cursor=${first.cursor}`)).body;
  const seen = [...first.posts, ...second.posts].map((post: { title: string }) => post.title);
  expect(seen).toEqual(titles.toReversed());
  expect(second.cursor).toBeNull();
  expect(first.posts[0]).toMatchObject({
    views: 0,
    language: 'en',
    languages: ['en', 'es'],
    owner: { id: ada.id, name: 'Ada' },
  });
  expect((await desk.call(ada, 'GET', 'posts?cursor=x')).status).toBe(400);
});

test('the desk is searched by words of titles, texts and names, without accents and marks', async () => {
  const chloe = await desk.person('Chloe', 'author');
  const { writer } = desk.context.project.database;
  await writer.updateTable('users').set({ display_name: 'Chloé Dürr' }).where('id', '=', chloe.id).execute();
  const texts = {
    title: 'El corazón',
    content: '## Größe\n\nHyper**tension** :cite[harvey]',
    contentFormat: 'markdown',
  };
  const draft = await create({ ...texts, byline: [{ name: 'Íñigo Núñez', role: 'illustrator' }] }, chloe);
  const published = await create({ title: 'The iris', content: 'Zonulas.' }, chloe);
  await publish(published, 1, chloe);
  await save(published, 2, { title: 'The iris', content: 'Lenses.' }, chloe);
  const find = async (search: string, as = eda) =>
    (await desk.call(as, 'GET', `posts?search=${encodeURIComponent(search)}`)).body.posts.map(
      ({ id }: { id: string }) => id,
    );
  for (const search of ['CORAZON', 'grosse hypertension', 'inigo NUÑEZ', 'chloe durr corazon'])
    expect(await find(search), search).toEqual([draft]);
  // What readers see is found beside the working copy.
  expect([await find('lenses iris'), await find('zonulas')]).toEqual([[published], [published]]);
  for (const nothing of ['harvey', 'corazon zonulas', '**', '%'])
    expect(await find(nothing), nothing).toEqual([]);
  expect(await find('corazon', ada)).toEqual([]);
  expect(await find('corazon', chloe)).toEqual([draft]);
});

test('a deleted account takes its posts along, and leaves what it wrote in those of others without its name', async () => {
  const zoe = await desk.person('Zoe', 'editor');
  const own = await create({}, zoe);
  await publish(own, 1, zoe);
  await desk.call(zoe, 'POST', `posts/${own}/preview`);
  const draft = await create({}, zoe);
  const shared = await create();
  await publish(shared, 1);
  const byline = [{ name: 'Dr Zoe', role: 'author', userId: zoe.id }];
  await save(shared, 2, { title: 'By Zoe', byline }, zoe);
  await publish(shared, 3, zoe);

  const exported = (await desk.call(zoe, 'GET', '/api/auth/export')).body.tables;
  expect(exported.post_drafts.map(({ id }: { id: string }) => id).sort()).toEqual([own, draft].sort());
  expect(exported.post_revisions).toHaveLength(2);
  expect(exported.post_previews).toHaveLength(1);

  const deleted = await desk.call(zoe, 'DELETE', '/api/auth/account');
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(200);
  for (const table of ['post_drafts', 'journal_posts']) {
    expect(await desk.rows(`${table}?id=in.(${own},${draft},${shared})&select=id`)).toEqual([{ id: shared }]);
  }
  expect(await desk.rows(`post_previews?post_id=eq.${own}`)).toEqual([]);
  const { revisions } = (await desk.call(ada, 'GET', `posts/${shared}/revisions`)).body;
  expect(revisions.map(({ by }: { by: unknown }) => by)).toEqual([
    { id: expect.stringMatching(/^deleted_/), name: 'Anonymous' },
    { id: ada.id, name: 'Ada' },
  ]);
  const named = [{ name: 'Dr Zoe', role: 'author' }];
  const copy = await read(shared);
  expect(copy).toMatchObject({
    document: { title: 'By Zoe', byline: named },
    updatedBy: { name: 'Anonymous' },
    goneAccounts: [],
  });
  expect((await readersPost(shared)).byline).toBe(JSON.stringify(named));
  // An editor that was open before brings the id back.
  await save(shared, copy.version, { byline });
  expect(await read(shared)).toMatchObject({ document: { byline }, goneAccounts: [zoe.id] });
});

test('a picture stays for as long as a revision of its post shows it, and goes with the post', async () => {
  const upload = async (path: string) => {
    const form = new FormData();
    form.append('file', new Blob([`the content of ${path}`]), 'file');
    form.append('path', path);
    const response = await desk.backend.fetch(
      new Request('http://localhost/api/storage/journal/upload', {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}` },
        body: form,
      }),
    );
    return new URL(((await response.json()) as { publicUrl: string }).publicUrl).pathname;
  };
  const found = async (path: string) => (await desk.call(ada, 'GET', path)).status;
  const [first, second, figure, further] = [
    await upload('posts/a.txt'),
    await upload('posts/b.txt'),
    await upload('posts/c.txt'),
    await upload('posts/d.txt'),
  ];
  const id = await create({ cover: { ...buildDocument().cover, url: first } });
  await publish(id, 1);
  const content = `:::figure{src="${figure}"}\nA heart.\n:::`;
  const pictures = [{ ...buildDocument().cover, url: further, caption: { en: 'From behind' } }];
  const cover = { ...buildDocument().cover, url: second };
  await save(id, 2, { cover, pictures, contentFormat: 'markdown', content });
  await publish(id, 3);
  expect((await read(id)).publishedDocument.pictures).toMatchObject([
    { url: further, caption: { en: 'From behind' } },
  ]);
  for (const path of [first, second, figure, further]) expect(await found(path)).toBe(200);
  expect((await desk.call(ada, 'DELETE', `posts/${id}`)).status).toBe(204);
  for (const path of [first, second, figure, further]) await expect.poll(() => found(path)).toBe(404);
});
