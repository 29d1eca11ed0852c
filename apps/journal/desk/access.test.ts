import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../testing/open-test-desk.ts';

/**
 * Ada owns the posts. Bea is named in them as an author and Tia as a translator, Cal is another author; Rea is a reader,
 * Eda an editor and Root an admin. The secret key has no account, and its programs use the tables.
 */
const NAMES = ['anonymous', 'rea', 'cal', 'tia', 'bea', 'ada', 'eda', 'root', 'service'] as const;
type Name = (typeof NAMES)[number];
const ROLES: Partial<Record<Name, string>> = {
  ...{
    rea: 'reader',
    cal: 'author',
    tia: 'reader',
    bea: 'author',
    ada: 'author',
    eda: 'editor',
    root: 'admin',
  },
};

const DAY_MS = 86_400_000;

let desk: TestDesk;
const people = {} as Record<Name, Person>;

beforeAll(async () => {
  desk = await openTestDesk();
  for (const name of NAMES) {
    const role = ROLES[name];
    people[name] = role ? await desk.person(name, role) : ANONYMOUS;
  }
  const project = desk.backend.projects.get('journal');
  people.service = { id: '', token: project?.secretKey };
});

afterAll(() => desk.close());

type State = 'draft' | 'published';

async function createPost(state: State): Promise<string> {
  const byline = [
    { name: 'Bea', role: 'author' as const, userId: people.bea.id },
    { name: 'Tia', role: 'translator' as const, userId: people.tia.id },
  ];
  const body = { document: buildDocument({ byline }) };
  const { id } = (await desk.call(people.ada, 'POST', 'posts', { body })).body;
  if (state === 'published') {
    await desk.call(people.ada, 'POST', `posts/${id}/publish`, { version: 1, body: {} });
  }
  return id;
}

const changed = (id: string, changes = {}) =>
  desk.call(people.ada, 'GET', `posts/${id}`).then(({ body }) => ({ ...body.document, ...changes }));

test('authors find accounts by a part of the names that readers see, and by the whole of others', async () => {
  const named = async (name: string, displayName: string) => {
    const person = await desk.person(name, 'author');
    const { writer } = desk.context.project.database;
    await writer
      .updateTable('users')
      .set({ display_name: displayName })
      .where('id', '=', person.id)
      .execute();
    return { id: person.id, name: displayName };
  };
  const find = async (name: string) => {
    const path = `accounts?name=${encodeURIComponent(name)}`;
    const { status, body } = await desk.call(people.cal, 'GET', path);
    expect(status).toBe(200);
    return body.accounts;
  };
  const hidden = await named('una', 'Una Quist');
  expect(await find('Quist')).toEqual([]);
  expect(await find('una quist')).toEqual([hidden]);
  for (const pattern of ['%uist', 'Una_Quist', 'Una%', '\\Quist']) expect(await find(pattern)).toEqual([]);

  const { body: post } = await desk.call(people.eda, 'POST', 'posts', {
    body: { document: buildDocument() },
  });
  const { writer } = desk.context.project.database;
  await desk.call(people.eda, 'POST', `posts/${post.id}/publish`, { version: 1, body: {} });
  await writer.updateTable('journal_posts').set({ user_id: hidden.id }).where('id', '=', post.id).execute();
  expect(await find('quis')).toEqual([hidden]);
  await writer.updateTable('users').set({ disabled_at: 1 }).where('id', '=', hidden.id).execute();
  expect(await find('Una Quist')).toEqual([]);

  for (let twin = 0; twin < 7; twin += 1) await named(`twin${twin}`, 'Twin Same');
  expect(await find('twin same')).toHaveLength(5);
  for (const wrong of ['', '?name=', '?name=a', `?name=${'a'.repeat(201)}`])
    expect((await desk.call(people.cal, 'GET', `accounts${wrong}`)).status, wrong).toBe(400);
});

test('the list of each has the posts that it may edit', async () => {
  desk.clock.now += 1_000;
  const id = await createPost('draft');
  const lists: Partial<Record<Name, boolean>> = {};
  for (const name of NAMES) {
    const { status, body } = await desk.call(people[name], 'GET', 'posts?limit=1');
    lists[name] = status === 200 && body.posts[0]?.id === id;
  }
  expect(Object.values(lists)).toEqual([false, false, false, true, true, true, true, true, false]);
});

test('a translator who restores a revision takes its words back, and never the people that it names', async () => {
  const id = await createPost('published');
  const byline = [{ name: 'Tia', role: 'author', userId: people.tia.id }];
  const kept = await desk.call(people.tia, 'POST', `posts/${id}/revisions`, {
    body: { document: await changed(id, { title: 'Of Tia', byline }) },
  });
  expect(kept.status).toBe(201);
  const restored = await desk.call(people.tia, 'POST', `posts/${id}/revisions/${kept.body.id}/restore`, {
    version: 2,
  });
  expect(restored).toMatchObject({ status: 200, body: { document: { title: 'Of Tia' } } });
  const post = await desk.call(people.tia, 'GET', `posts/${id}`);
  expect(post.body).toMatchObject({
    can: { edit: true, publish: false },
    document: { title: 'Of Tia', byline: [{ name: 'Bea' }, { name: 'Tia', role: 'translator' }] },
  });
  expect((await desk.call(people.tia, 'POST', `posts/${id}/publish`, { version: 3, body: {} })).status).toBe(
    403,
  );
  expect((await desk.call(people.bea, 'GET', `posts/${id}`)).body.can.publish).toBe(true);
});

test.each(['discarding', 'restoring'])(
  'a demoted author does not get the rights back by %s',
  async (verb) => {
    const id = await createPost('published');
    const named = { userId: people.bea.id, name: 'Bea' };
    const demoted = [{ ...named, role: 'translator' }];
    const body = await changed(id, { title: 'Of Ada', byline: demoted });
    expect((await desk.call(people.ada, 'PUT', `posts/${id}`, { version: 2, body })).status).toBe(200);
    const [published] = (await desk.call(people.bea, 'GET', `posts/${id}/revisions`)).body.revisions;
    const path = verb === 'discarding' ? 'discard' : `revisions/${published.id}/restore`;
    expect((await desk.call(people.bea, 'POST', `posts/${id}/${path}`, { version: 3 })).status).toBe(200);
    expect((await desk.call(people.bea, 'GET', `posts/${id}`)).body).toMatchObject({
      ...{ can: { publish: false }, changed: true },
      document: { title: buildDocument().title, byline: demoted },
    });
    // Who may say who the people are goes back to what was published as a whole.
    expect((await desk.call(people.ada, 'POST', `posts/${id}/discard`, { version: 4 })).status).toBe(200);
    expect((await desk.call(people.bea, 'GET', `posts/${id}`)).body).toMatchObject({
      ...{ can: { publish: true }, changed: false },
    });
  },
);

test('nobody becomes the owner of a draft by writing a post under its id, which its links and people know', async () => {
  const id = await createPost('draft');
  const post = { id, title: 'Mine', content: 'Mine.', image_url: '/storage/1.png', published: 1 };
  const write = (as: Person) =>
    desk.call(as, 'POST', '/api/db/journal/rest/v1/journal_posts', { body: { ...post, user_id: as.id } });
  for (const name of ['cal', 'bea', 'eda'] as const)
    expect(await write(people[name]), name).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  expect(await desk.rows(`journal_posts?id=eq.${id}`)).toEqual([]);
  expect((await desk.call(people.cal, 'GET', `posts/${id}`)).status).toBe(404);
  expect((await write(people.ada)).status).toBe(201);
});

test('an account writes no more in a day than its quota, in whichever table of the desk', async () => {
  const limited = await openTestDesk({
    // The hours that pass here are all of one day.
    clock: { now: Date.now() - (Date.now() % DAY_MS) },
    environment: { RATE_LIMIT: 'on', ROWS_QUOTA: '150 kB' },
  });
  onTestFinished(() => limited.close());
  const words = (turn: number) => `Number ${turn} of the words. `.repeat(200).trim();
  const ways: Record<string, (as: Person, id: string, turn: number) => Promise<{ status: number }>> = {
    async 'working copies with other words'(as, id, turn) {
      const { version, document } = (await limited.call(as, 'GET', `posts/${id}`)).body;
      const translations = { de: { title: 'Das Herz', content: words(turn) } };
      const body = { ...document, content: `${words(turn)} And the heart.`, translations };
      return limited.call(as, 'PUT', `posts/${id}`, { version, body });
    },
    async revisions(as, id, turn) {
      const document = buildDocument({ content: words(turn) });
      return limited.call(as, 'POST', `posts/${id}/revisions`, { body: { document } });
    },
    async 'former texts of a segment'(as, id, turn) {
      const path = `posts/${id}/translations/de`;
      const [, segment] = (await limited.call(as, 'GET', path)).body.segments;
      limited.clock.now += 10 * 60_000;
      const body = { text: words(turn) };
      return limited.call(as, 'PUT', `${path}/segments/${segment.id}`, { version: segment.version, body });
    },
    async 'texts of a file'(as, id, turn) {
      const url = `http://localhost/api/desk/journal/posts/${id}/translations/de.xlf`;
      const headers = { authorization: `Bearer ${as.token}` };
      const file = await (await limited.backend.fetch(new Request(url, { headers }))).text();
      const target = `<target>${words(turn)}</target>`;
      const body = file.replace(/<target>[^<]*<\/target>/g, '').replaceAll('</source>', `</source>${target}`);
      limited.clock.now += 10 * 60_000;
      return limited.backend.fetch(new Request(url, { method: 'POST', headers, body }));
    },
    async comments(as, id, turn) {
      const path = `posts/${id}/translations/de`;
      const [segment] = (await limited.call(as, 'GET', path)).body.segments;
      const body = { text: words(turn).slice(0, 5_000) };
      return limited.call(as, 'POST', `${path}/segments/${segment.id}/comments`, { body });
    },
  };
  for (const [name, write] of Object.entries(ways)) {
    const as = await limited.person(name.replaceAll(' ', '-'), 'author');
    const { id } = (await limited.call(as, 'POST', 'posts', { body: { document: buildDocument() } })).body;
    const statuses: number[] = [];
    while (statuses.length < 30 && statuses.at(-1) !== 429) {
      const { status } = await write(as, id, statuses.length + 1);
      statuses.push(status);
    }
    expect(statuses.at(-1), `${name}: ${statuses}`).toBe(429);
    expect(Math.max(0, ...statuses.slice(0, -1)), name).toBeLessThan(300);
    expect(statuses.length, name).toBeGreaterThan(1);
    // What there is can be read, and deleted.
    expect((await limited.call(as, 'GET', `posts/${id}`)).status, name).toBe(200);
    expect((await limited.call(as, 'DELETE', `posts/${id}`)).status, name).toBe(204);
  }
});

test('what the desk makes of the posts of other programs counts as written by their accounts', async () => {
  const limited = await openTestDesk({ environment: { RATE_LIMIT: 'on', ROWS_QUOTA: '60 kB' } });
  onTestFinished(() => limited.close());
  const store = async (as: Person, id: string, paragraphs: number) => {
    const text = (word: string) => `${word}.\n\n`.repeat(paragraphs);
    const post = {
      ...{
        id,
        user_id: as.id,
        title: 'The heart',
        content: text('A'),
        image_url: '/favicon.svg',
        language: 'en',
      },
      ...{ title_de: 'Das Herz', content_de: text('Ein'), title_fr: 'Le cœur', content_fr: text('Un') },
    };
    const { status } = await limited.call(as, 'POST', '/api/db/journal/rest/v1/journal_posts', {
      body: post,
    });
    expect(status).toBe(201);
  };
  const [ada, ben] = [await limited.person('Ada', 'author'), await limited.person('Ben', 'author')];
  await store(ada, 'many', 500);
  await store(ben, 'few', 3);
  // The desk takes one after the other.
  await expect.poll(() => limited.rows('post_segments?id=eq.few'), { timeout: 100_000 }).toHaveLength(1);
  expect(await limited.rows('post_segments?id=eq.many')).toEqual([]);
  expect((await limited.call(ada, 'GET', 'posts/many/translations/de')).status).toBe(429);
  expect((await limited.call(ada, 'GET', 'posts/many')).status).toBe(200);
  expect((await limited.call(ben, 'GET', 'posts/few/translations/de')).status).toBe(200);
});

test('an account saves so many segments a minute, and others go on', async () => {
  const limited = await openTestDesk({ environment: { RATE_LIMIT: 'on' } });
  onTestFinished(() => limited.close());
  const [ada, ben] = [await limited.person('Ada', 'author'), await limited.person('Ben', 'author')];
  const begin = (as: Person, paragraphs: number) => {
    const document = buildDocument({ content: 'A.\n'.repeat(paragraphs) });
    return limited.call(as, 'POST', 'posts', { body: { document } });
  };
  const statuses: number[] = [];
  while (statuses.length < 30 && statuses.at(-1) !== 429) statuses.push((await begin(ada, 2_000)).status);
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([201]));
  expect(statuses.at(-1)).toBe(429);
  expect((await begin(ada, 1)).status).toBe(429);
  expect((await begin(ben, 100)).status).toBe(201);
});
