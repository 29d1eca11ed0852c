import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { START, scriptedError } from '@fabrica/client/testing/session-script.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../client.ts';
import type { TableClient } from './table-client.ts';

interface Post {
  id: string;
  titleEn: string;
  createdAt: number;
}

const ROUTE = '/api/db/journal/rest/v1/journal_posts';
const row = { id: 'post_1', title_en: 'Heart', created_at: 5 };
const post: Post = { id: 'post_1', titleEn: 'Heart', createdAt: 5 };

let backend: ScriptedServer;
let posts: TableClient<Post>;

beforeEach(async () => {
  backend = await ScriptedServer.start();
  posts = createClient({ projectId: 'journal', origin: `${backend.origin}/` }).db.table<Post>('journalPosts');
});

afterEach(() => backend.close());

function lastRequest() {
  const {
    method = '',
    query = new URLSearchParams(),
    json = null,
    headers = {},
  } = backend.requests.at(-1) ?? {};
  return { method, query: query.toString(), json, prefer: headers.prefer };
}

describe('reading', () => {
  it('rows are listed with column names in camelCase', async () => {
    backend.on(`GET ${ROUTE}`, { body: [row] });
    await expect(posts.list({ where: { createdAt: { lt: 9 } }, select: ['id', 'titleEn'] })).resolves.toEqual(
      [post],
    );
    expect(lastRequest().query).toBe('select=id%2Ctitle_en&created_at=lt.9');
  });

  it('a page has a cursor and a count', async () => {
    backend.on(`GET ${ROUTE}`, {
      status: 206,
      headers: { 'content-range': '0-0/573', 'x-next-cursor': 'next' },
      body: [row],
    });
    await expect(posts.page({ limit: 1, cursor: 'here', count: true })).resolves.toEqual({
      rows: [post],
      nextCursor: 'next',
      count: 573,
    });
    expect(lastRequest()).toMatchObject({ query: 'limit=1&cursor=here', prefer: 'count=exact' });
  });

  it('the last page has no cursor, and no count unless it was requested', async () => {
    backend.on(`GET ${ROUTE}`, { body: [] });
    await expect(posts.page()).resolves.toEqual({ rows: [], nextCursor: null, count: null });
    expect(lastRequest().prefer).toBeUndefined();
  });

  it('`get` returns one row or null', async () => {
    backend.on(`GET ${ROUTE}`, ({ query }) => ({ body: query.get('id') === 'eq.post_1' ? [row] : [] }));
    await expect(posts.get('post_1')).resolves.toEqual(post);
    await expect(posts.get('post_2')).resolves.toBeNull();
  });

  it('`count` fetches no rows', async () => {
    backend.on(`GET ${ROUTE}`, { headers: { 'content-range': '*/0' }, body: [] });
    await expect(posts.count({ where: { id: 'x' } })).resolves.toBe(0);
    expect(lastRequest()).toMatchObject({ query: 'id=eq.x&limit=0&select=id', prefer: 'count=exact' });
  });
});

describe('writing', () => {
  it("`create` returns the stored row with the server's id", async () => {
    backend.on(`POST ${ROUTE}`, { status: 201, body: [row] });
    await expect(posts.create({ titleEn: 'Heart' })).resolves.toEqual(post);
    expect(lastRequest()).toMatchObject({ json: { title_en: 'Heart' }, prefer: 'return=representation' });
  });

  it('rows without an id get one from a prefix, the time and a random part', async () => {
    backend.on(`POST ${ROUTE}`, ({ json }) => ({ status: 201, body: json }));
    const { db } = createClient({ projectId: 'journal', origin: backend.origin, now: () => START });
    const table = db.table<Post>('journalPosts', { idPrefix: 'post_' });
    const [first, second, third] = await table.createMany([
      { titleEn: 'a' },
      { titleEn: 'b' },
      { id: 'mine' },
    ]);
    expect(first?.id).toMatch(/^post_1795000000000_[0-9a-z]{14}$/);
    expect(second?.id).not.toBe(first?.id);
    expect(third?.id).toBe('mine');
  });

  it('`createMany` creates all rows in one call, and makes no call for no rows', async () => {
    backend.on(`POST ${ROUTE}`, { status: 201, body: [row, row] });
    await expect(posts.createMany([{ titleEn: 'a' }, { titleEn: 'b' }])).resolves.toHaveLength(2);
    await expect(posts.createMany([])).resolves.toEqual([]);
    expect(backend.requests).toHaveLength(1);
    expect(lastRequest().json).toEqual([{ title_en: 'a' }, { title_en: 'b' }]);
  });

  it('`upsert` sends the columns that identify the row', async () => {
    backend.on(`POST ${ROUTE}`, { body: [row] });
    await posts.upsert(post, { onConflict: ['titleEn', 'createdAt'] });
    expect(lastRequest()).toMatchObject({
      query: 'on_conflict=title_en%2Ccreated_at',
      prefer: 'resolution=merge-duplicates,return=representation',
    });
    await posts.upsert(post);
    expect(lastRequest().query).toBe('on_conflict=id');
  });

  it('`update` returns the row or throws NOT_FOUND', async () => {
    backend.on(`PATCH ${ROUTE}`, ({ query }) => ({ body: query.get('id') === 'eq.post_1' ? [row] : [] }));
    await expect(posts.update('post_1', { titleEn: 'Heart' })).resolves.toEqual(post);
    await expect(posts.update('post_2', { titleEn: 'Heart' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    });
  });

  it('`delete` returns whether there was a row', async () => {
    backend.on(`DELETE ${ROUTE}`, ({ query }) => ({ body: query.get('id') === 'eq.post_1' ? [row] : [] }));
    await expect(posts.delete('post_1')).resolves.toBe(true);
    await expect(posts.delete('post_2')).resolves.toBe(false);
    await expect(posts.delete('')).rejects.toMatchObject({ name: 'ValidationError' });
    expect(backend.requests).toHaveLength(2);
  });
});

describe('failing', () => {
  it('an error of the server is thrown with its code and message', async () => {
    backend.on(`POST ${ROUTE}`, scriptedError(403, 'FORBIDDEN', 'This is not yours.'));
    await expect(posts.create({})).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'This is not yours.',
    });
  });

  it('a call without a response throws a NetworkError', async () => {
    backend.on(`GET ${ROUTE}`, () => 'hang up');
    await expect(posts.list()).rejects.toMatchObject({
      name: 'NetworkError',
      code: 'NETWORK_ERROR',
      status: null,
      retryable: true,
      message: 'Network error. Please check your connection and try again.',
    });
  });

  it('a successful response that is not JSON throws a NetworkError', async () => {
    backend.on(`GET ${ROUTE}`, { body: '<html>Log in to the hotel</html>' });
    await expect(posts.list()).rejects.toMatchObject({ code: 'NETWORK_ERROR', status: 200 });
  });
});
