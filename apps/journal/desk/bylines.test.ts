import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PostDocument } from '../project/document.ts';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../testing/open-test-desk.ts';

let desk: TestDesk;
let ada: Person;
let tia: Person;
let service: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('ada', 'author');
  tia = await desk.person('tia', 'author');
  service = { id: '', token: desk.backend.projects.get('journal')?.secretKey };
});
afterAll(() => desk.close());

const REST = '/api/db/journal/rest/v1';
const named = () => [
  { name: 'Ada', role: 'author' as const, userId: ada.id },
  { name: 'Tia', role: 'translator' as const, userId: tia.id },
];
const bylinesOf = async (person: Person) => (await desk.call(person, 'GET', 'bylines')).body.posts;
const accepted = (id: string) => `${REST}/byline_consents?post_id=eq.${id}&accepted=eq.1&select=account_id`;

async function publish(): Promise<string> {
  const body = { document: buildDocument({ byline: named() }) };
  const { id } = (await desk.call(ada, 'POST', 'posts', { body })).body;
  expect((await desk.call(ada, 'POST', `posts/${id}/publish`, { version: 1, body: {} })).status).toBe(200);
  return id;
}

test('an account that a byline names is asked, edits at once, and is known as accepting once it does', async () => {
  const id = await publish();
  await expect.poll(() => bylinesOf(tia)).toMatchObject([{ id, published: true, accepted: false }]);
  expect(await bylinesOf(ada)).toEqual([]);
  expect((await desk.call(tia, 'GET', `posts/${id}`)).body.can).toMatchObject({ edit: true });
  expect((await desk.call(ANONYMOUS, 'GET', accepted(id))).body).toEqual([]);
  expect((await desk.call(ada, 'PUT', `posts/${id}/byline`)).status).toBe(404);
  expect((await desk.call(tia, 'PUT', `posts/${id}/byline`)).status).toBe(204);
  expect((await desk.call(ANONYMOUS, 'GET', accepted(id))).body).toEqual([{ account_id: tia.id }]);
  expect(await bylinesOf(tia)).toMatchObject([{ id, accepted: true }]);
  // Nobody accepts for others.
  const forged = { post_id: id, account_id: tia.id, user_id: ada.id, accepted: 1 };
  expect((await desk.call(ada, 'POST', `${REST}/byline_consents`, { body: forged })).status).toBe(403);
});

test('an account takes its name off what readers see and off the working copy, also after a discard', async () => {
  const id = await publish();
  await expect.poll(async () => (await bylinesOf(tia)).length).toBe(2);
  const body = { ...buildDocument({ byline: named() }), title: 'Changed' };
  expect((await desk.call(ada, 'PUT', `posts/${id}`, { version: 2, body })).status).toBe(200);
  expect((await desk.call(tia, 'DELETE', `posts/${id}/byline`)).status).toBe(204);
  const byline = named().slice(0, 1);
  const [post] = await desk.rows(`journal_posts?id=eq.${id}&select=byline`);
  expect(JSON.parse(post.byline)).toEqual(byline);
  const copy = (await desk.call(ada, 'GET', `posts/${id}`)).body;
  expect(copy).toMatchObject({ document: { title: 'Changed', byline }, elsewhere: null });
  expect((await desk.call(tia, 'GET', `posts/${id}`)).status).toBe(403);
  await desk.call(ada, 'POST', `posts/${id}/discard`, { version: copy.version, body: {} });
  expect((await desk.call(ada, 'GET', `posts/${id}`)).body.document.byline).toEqual(byline);
  expect((await bylinesOf(tia)).map((one: { id: string }) => one.id)).not.toContain(id);
});

test('an account is asked whatever program named it, and leaves a post that the desk never opened', async () => {
  const row = { id: 'post_else', user_id: ada.id, title: 'x', content: 'x', image_url: '/x.png' };
  const body = { ...row, byline: JSON.stringify(named()) };
  expect((await desk.call(service, 'POST', `${REST}/journal_posts`, { body })).status).toBe(201);
  await expect
    .poll(async () => (await bylinesOf(tia)).map((one: { id: string }) => one.id))
    .toContain('post_else');
  expect((await desk.call(tia, 'DELETE', 'posts/post_else/byline')).status).toBe(204);
  const [post] = await desk.rows('journal_posts?id=eq.post_else&select=byline');
  expect(JSON.parse(post.byline)).toEqual(named().slice(0, 1));
});

test('an account leaves what readers see though the working copy does not name it any more, and is asked anew when it is named again', async () => {
  const id = await publish();
  await expect.poll(async () => (await desk.call(tia, 'PUT', `posts/${id}/byline`)).status).toBe(204);
  const body = buildDocument({ byline: named().slice(0, 1) });
  expect((await desk.call(ada, 'PUT', `posts/${id}`, { version: 2, body })).status).toBe(200);
  expect((await desk.call(tia, 'GET', `posts/${id}`)).status).toBe(403);
  expect((await desk.call(tia, 'DELETE', `posts/${id}/byline`)).status).toBe(204);
  const [post] = await desk.rows(`journal_posts?id=eq.${id}&select=byline`);
  expect(JSON.parse(post.byline)).toEqual(named().slice(0, 1));
  const [draft] = await desk.rows(`post_drafts?id=eq.${id}&select=version,updated_by`);
  expect(draft.updated_by, 'the version is still its author’s').toBe(ada.id);
  const again = buildDocument({ byline: named() });
  expect((await desk.call(ada, 'PUT', `posts/${id}`, { version: draft.version, body: again })).status).toBe(
    200,
  );
  const mine = async () => (await bylinesOf(tia)).find((one: { id: string }) => one.id === id);
  await expect.poll(mine).toMatchObject({ accepted: false });
});

/** Returns everything that is stored about a post: the row of readers, the working copy and its history. */
async function everythingOf(id: string): Promise<string> {
  const rows = [`journal_posts?id=eq.${id}`, `post_drafts?id=eq.${id}`, `post_revisions?post_id=eq.${id}`];
  return JSON.stringify(await Promise.all(rows.map((path) => desk.rows(path))));
}

/** Publishes a post that names an account, and has the name in an older revision too. */
async function publishWithHistory(person: Person, name: string): Promise<string> {
  const byline = [named()[0], { name, role: 'author' as const, userId: person.id }] as PostDocument['byline'];
  const { id } = (await desk.call(ada, 'POST', 'posts', { body: { document: buildDocument({ byline }) } }))
    .body;
  for (const title of ['First', 'Second']) {
    const { version } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
    const body = { ...buildDocument({ byline }), title };
    const saved = await desk.call(ada, 'PUT', `posts/${id}`, { version, body });
    const published = await desk.call(ada, 'POST', `posts/${id}/publish`, {
      version: saved.body.version,
      body: {},
    });
    expect([saved.status, published.status]).toEqual([200, 200]);
  }
  await expect.poll(async () => (await bylinesOf(person)).length).toBe(1);
  expect((await desk.rows(`post_revisions?post_id=eq.${id}&select=id`)).length).toBeGreaterThan(1);
  return id;
}

test('a name that was taken off a post is in none of its revisions', async () => {
  const noa = await desk.person('noa', 'author');
  const id = await publishWithHistory(noa, 'Noa of the History');
  expect((await desk.call(noa, 'DELETE', `posts/${id}/byline`)).status).toBe(204);
  const stored = await everythingOf(id);
  expect(stored).not.toContain('Noa of the History');
  expect(stored).not.toContain(noa.id);
});

test('the id of a deleted account is in no byline, working copy or revision of others, and the name stays in plain text', async () => {
  const uma = await desk.person('uma', 'author');
  const id = await publishWithHistory(uma, 'Uma of the History');
  const [before] = await desk.rows(`post_drafts?id=eq.${id}&select=version,changed`);
  expect((await desk.call(uma, 'DELETE', '/api/auth/account')).status).toBe(200);
  const stored = await everythingOf(id);
  expect(stored).not.toContain(uma.id);
  expect(stored).toContain(ada.id);
  const { document, version, elsewhere } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
  expect(document.byline).toEqual([named()[0], { name: 'Uma of the History', role: 'author' }]);
  expect({ version, elsewhere }).toEqual({ version: before.version + 1, elsewhere: null });
  const [after] = await desk.rows(`post_drafts?id=eq.${id}&select=changed,people`);
  expect(after).toEqual({ changed: before.changed, people: `,${ada.id},` });
});

test('an image of another site comes into a post neither by a save nor by the history', async () => {
  const id = await publish();
  const document = buildDocument({ byline: named() });
  const foreign = { ...document, cover: { ...document.cover, url: 'https://evil.example/x.png' } };
  for (const [method, path, body] of [
    ['PUT', `posts/${id}`, foreign],
    ['POST', `posts/${id}/revisions`, { document: foreign }],
  ] as const) {
    const { status, body: refused } = await desk.call(ada, method, path, { version: 2, body });
    expect([status, refused.code], path).toEqual([400, 'VALIDATION_FAILED']);
  }
});
