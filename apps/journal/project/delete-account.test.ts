import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDesk, type TestDesk } from '../testing/open-test-desk.ts';

interface Person {
  id: string;
  token: string;
}

let desk: TestDesk;

beforeEach(async () => {
  desk = await openTestDesk();
});
afterEach(() => desk.close());

async function call(method: string, path: string, { as, body }: { as?: Person; body?: unknown } = {}) {
  const form = body instanceof FormData;
  const response = await desk.backend.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
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

/** Returns the file's public URL. */
async function upload(as: Person, path: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([`the content of ${path}`]), 'file');
  body.append('path', path);
  return (await call('POST', '/api/storage/journal/upload', { as, body })).body.publicUrl;
}

const rows = async (path: string) => (await call('GET', `/api/db/journal/rest/v1/${path}`)).body;
const ids = async (table: string) => (await rows(table)).map(({ id }: { id: string }) => id).sort();
const status = async (url: string) => (await call('GET', new URL(url).pathname)).status;

function filesOnDisk(): string[] {
  const files = join(desk.settings.DATA_DIR, 'files');
  return readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(files, name)).isFile(),
  );
}

test('deleting an account deletes its posts, likes and files, and makes its comments anonymous', async () => {
  const [ada, ben] = [await signUp('Ada'), await signUp('Ben')];
  const files: Record<string, string> = {};
  for (const [id, author] of [
    ['p-ada', ada],
    ['p-ben', ben],
  ] as const) {
    files[id] = await upload(author, `posts/${id}.txt`);
    await create(author, 'journal_posts', {
      id,
      title: 'Heart',
      content: 'A muscle.',
      image_url: files[id],
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
    {
      id: 'c-Ada-p-ben',
      user_id: expect.stringMatching(/^deleted_[0-9a-f]{20}$/),
      user_name: 'Anonymous',
      content: 'So it is.',
    },
    { id: 'c-Ben-p-ben', user_id: ben.id, user_name: 'Ben' },
  ]);
  expect(await ids(`profiles?id=in.(${ada.id},${ben.id})`)).toEqual([ben.id]);
  expect([await status(files['p-ada'] ?? ''), await status(photo)]).toEqual([404, 404]);
  expect(await status(files['p-ben'] ?? '')).toBe(200);
  await expect.poll(() => filesOnDisk()).toHaveLength(1);
  expect((await call('GET', '/api/auth/me', { as: ada })).status).toBe(401);

  // The post's owner can still delete an anonymous comment.
  const deletion = await call('DELETE', '/api/db/journal/rest/v1/post_comments?id=eq.c-Ada-p-ben', {
    as: ben,
  });
  expect(deletion.status).toBe(204);
});

test('a new name of an account reaches its named comments, and none that was written without a name', async () => {
  const [ada, ben] = [await signUp('Ada'), await signUp('Ben')];
  const post = { id: 'p-ben', title: 'Heart', content: 'A muscle.', image_url: '/x.png' };
  await create(ben, 'journal_posts', post);
  const rename = (displayName: string | null) =>
    call('PATCH', '/api/auth/me', { as: ada, body: { displayName } });
  const comment = (id: string, as = ada) =>
    create(as, 'post_comments', { id, post_id: 'p-ben', content: 'Yes.' });
  const names = async () =>
    Object.fromEntries(
      (await rows('post_comments')).map(({ id, user_name }: Record<string, string>) => [id, user_name]),
    );
  await comment('c1');
  await comment('c-ben', ben);
  await rename(null);
  await comment('c2');
  await rename('Dr Ada');
  await comment('c3');
  expect(await names()).toEqual({ c1: 'Anonymous', c2: 'Anonymous', c3: 'Dr Ada', 'c-ben': 'Ben' });
  await rename('Prof Ada');
  expect(await names()).toEqual({ c1: 'Anonymous', c2: 'Anonymous', c3: 'Prof Ada', 'c-ben': 'Ben' });

  const refused = await rename('ada@example.org');
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect(await names()).toMatchObject({ c3: 'Prof Ada' });
});

test('comments of two deleted accounts on one post can be told from each other, and lead to nobody', async () => {
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
    await create(person, 'post_comments', { ...comment, id: `d-${name}` });
    await create(person, 'post_likes', { post_id: 'p-rea' });
    expect((await call('DELETE', '/api/auth/account', { as: person })).status).toBe(200);
  }
  const [adas, bens, adasSecond, bensSecond] = await rows('post_comments?order=id');
  expect([adasSecond.user_id, bensSecond.user_id]).toEqual([adas.user_id, bens.user_id]);
  expect(adas.user_id).not.toBe(bens.user_id);
  for (const { user_id, user_name } of [adas, bens]) {
    expect(user_id).toMatch(/^deleted_[0-9a-f]{20}$/);
    expect(user_name).toBe('Anonymous');
  }
  expect(await rows(`profiles?id=eq.${adas.user_id}`)).toEqual([]);
  expect(await rows('post_likes')).toEqual([]);
});

test('an account can export its rows, sessions and files', async () => {
  const ada = await signUp('Ada');
  const file = await upload(ada, 'posts/ä 1.txt');
  const content = 'A muscle.\n'.repeat(5_000).trim();
  const post = { id: 'p-ada', title: 'Heart “1”', content, image_url: file };
  await create(ada, 'journal_posts', { ...post, published: 0 });
  await create(ada, 'post_likes', { post_id: 'p-ada' });
  const { status: exportStatus, body } = await call('GET', '/api/auth/export', { as: ada });
  expect(exportStatus).toBe(200);
  expect(body).toMatchObject({
    account: { id: ada.id, email: 'ada@example.org' },
    sessions: [{ method: 'password' }],
    files: [{ publicPath: new URL(file).pathname }],
    tables: {
      journal_posts: [post],
      post_likes: [{ post_id: 'p-ada' }],
      post_comments: [],
      comment_likes: [],
    },
  });
  expect((await call('GET', '/api/auth/export')).status).toBe(401);
});
