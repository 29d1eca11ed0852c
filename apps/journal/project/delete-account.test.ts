import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Backend, createBackend, parseConfig } from '@fabrica/backend';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pages } from './pages.ts';
import { defineJournal } from './project.ts';

interface Person {
  id: string;
  token: string;
}

let folder: string;
let backend: Backend;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fabrica-journal-'));
  backend = await createBackend({
    pages,
    config: parseConfig({ DATA_DIR: folder, RATE_LIMIT: 'off' }),
    projects: [defineJournal({ id: 'journal' })],
    log: pino({ level: 'silent' }),
    renderMail: async ({ kind }) => ({ subject: kind, html: kind, text: kind }),
  });
});

afterEach(async () => {
  await backend.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, path: string, { as, body }: { as?: Person; body?: unknown } = {}) {
  const form = body instanceof FormData;
  const answer = await backend.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    }),
  );
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: answer.status, body: isJson ? JSON.parse(text) : text };
}

async function signUp(displayName: string): Promise<Person> {
  const account = { email: `${displayName}@example.org`, password: 'a long enough passphrase', displayName };
  const { body } = await call('POST', '/api/auth/signup', { body: { projectId: 'journal', ...account } });
  return { id: body.user.id, token: body.access_token };
}

async function create(as: Person, table: string, row: Record<string, unknown>): Promise<void> {
  const path = `/api/db/journal/rest/v1/${table}`;
  const { status } = await call('POST', path, { as, body: { ...row, user_id: as.id } });
  expect(status, table).toBe(201);
}

/** Answers the picture's address. */
async function upload(as: Person, path: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([`the words of ${path}`]), 'picture');
  body.append('path', path);
  return (await call('POST', '/api/storage/journal/upload', { as, body })).body.publicUrl;
}

const rows = async (path: string) => (await call('GET', `/api/db/journal/rest/v1/${path}`)).body;
const ids = async (table: string) => (await rows(table)).map(({ id }: { id: string }) => id).sort();
const status = async (address: string) => (await call('GET', new URL(address).pathname)).status;

function filesOnDisk(): string[] {
  const files = join(folder, 'files');
  return readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(files, name)).isFile(),
  );
}

test('a deleted account takes its posts, likes and pictures along, and leaves its comments to nobody', async () => {
  const [ada, ben] = [await signUp('Ada'), await signUp('Ben')];
  const pictures: Record<string, string> = {};
  for (const [id, author] of [
    ['p-ada', ada],
    ['p-ben', ben],
  ] as const) {
    pictures[id] = await upload(author, `posts/${id}.txt`);
    await create(author, 'journal_posts', {
      id,
      title: 'Heart',
      content: 'A muscle.',
      image_url: pictures[id],
    });
  }
  const photo = await upload(ada, 'photos/ada.txt');
  await create(ada, 'journal_posts', {
    id: 'p-draft',
    title: 'Lung',
    content: 'Air.',
    image_url: '/x.png',
    published: 0,
  });
  for (const [person, name] of [
    [ada, 'Ada'],
    [ben, 'Ben'],
  ] as const) {
    for (const post of ['p-ada', 'p-ben']) {
      await create(person, 'post_likes', { id: `l-${name}-${post}`, post_id: post });
      const comment = { id: `c-${name}-${post}`, post_id: post, user_name: name, content: 'So it is.' };
      await create(person, 'post_comments', comment);
    }
  }
  for (const comment of ['c-Ada-p-ben', 'c-Ben-p-ben']) {
    await create(ada, 'comment_likes', { id: `k-Ada-${comment}`, comment_id: comment });
    await create(ben, 'comment_likes', { id: `k-Ben-${comment}`, comment_id: comment });
  }

  expect(await call('DELETE', '/api/auth/account', { as: ada })).toEqual({
    status: 200,
    body: { success: true },
  });

  expect(await ids('journal_posts')).toEqual(['p-ben']);
  expect(await ids('post_likes')).toEqual(['l-Ben-p-ben']);
  expect(await ids('comment_likes')).toEqual(['k-Ben-c-Ada-p-ben', 'k-Ben-c-Ben-p-ben']);
  expect(await rows('post_comments?order=id')).toMatchObject([
    { id: 'c-Ada-p-ben', user_id: 'deleted', user_name: 'Anonymous', content: 'So it is.' },
    { id: 'c-Ben-p-ben', user_id: ben.id, user_name: 'Ben' },
  ]);
  expect(await ids('profiles')).toEqual([ben.id]);
  expect([await status(pictures['p-ada'] ?? ''), await status(photo)]).toEqual([404, 404]);
  expect(await status(pictures['p-ben'] ?? '')).toBe(200);
  await expect.poll(() => filesOnDisk()).toHaveLength(1);
  expect((await call('GET', '/api/auth/me', { as: ada })).status).toBe(401);

  // What is nobody's is taken down by the post's owner, as before.
  const takeDown = await call('DELETE', '/api/db/journal/rest/v1/post_comments?id=eq.c-Ada-p-ben', {
    as: ben,
  });
  expect(takeDown.status).toBe(204);
});

test('two accounts can have commented on one post, and both be deleted', async () => {
  const [ada, ben, rea] = [await signUp('Ada'), await signUp('Ben'), await signUp('Rea')];
  await create(rea, 'journal_posts', {
    id: 'p-rea',
    title: 'Heart',
    content: 'A muscle.',
    image_url: '/x.png',
  });
  for (const [person, name] of [
    [ada, 'Ada'],
    [ben, 'Ben'],
  ] as const) {
    const comment = { id: `c-${name}`, post_id: 'p-rea', user_name: name, content: 'So it is.' };
    await create(person, 'post_comments', comment);
    await create(person, 'post_likes', { post_id: 'p-rea' });
    expect((await call('DELETE', '/api/auth/account', { as: person })).status).toBe(200);
  }
  expect(await rows('post_comments?order=id')).toMatchObject([
    { id: 'c-Ada', user_id: 'deleted' },
    { id: 'c-Ben', user_id: 'deleted' },
  ]);
  expect(await rows('post_likes')).toEqual([]);
});

test('before that, an account can take all of it along', async () => {
  const ada = await signUp('Ada');
  const picture = await upload(ada, 'posts/ä 1.txt');
  const content = 'A muscle.\n'.repeat(5_000).trim();
  const post = { id: 'p-ada', title: 'Heart “1”', content, image_url: picture };
  await create(ada, 'journal_posts', { ...post, published: 0 });
  await create(ada, 'post_likes', { post_id: 'p-ada' });
  const { status: answered, body } = await call('GET', '/api/auth/export', { as: ada });
  expect(answered).toBe(200);
  expect(body).toMatchObject({
    account: { id: ada.id, email: 'ada@example.org' },
    sessions: [{ method: 'password' }],
    files: [{ publicPath: new URL(picture).pathname }],
    tables: {
      journal_posts: [post],
      post_likes: [{ post_id: 'p-ada' }],
      post_comments: [],
      comment_likes: [],
    },
  });
  expect((await call('GET', '/api/auth/export')).status).toBe(401);
});
