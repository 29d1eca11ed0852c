import { openTestSocket } from '@fabrica/backend/testing/realtime/build-test-socket.ts';
import { type Author, buildPost, secretKeyOf, signUp } from '@fabrica/test-peers/author.ts';
import { BEHIND_PROXY } from '@fabrica/test-peers/ip-addresses.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPublicClient, expectNoLimits, type PublicClient, versions } from './connect-public-client.ts';

/** SQL by a client that is not part of this project, on the journal, whose pages are cached. */

let server: RunningServer;
let author: Author;

beforeAll(async () => {
  server = await startServer({ DEMO: 'off', ...BEHIND_PROXY });
  author = await signUp(server, 'Dr Mara Lind');
});
afterAll(() => server?.close());

expectNoLimits(() => server);

async function page(path: string): Promise<{ status: number; html: string }> {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, html: await response.text() };
}

async function publish(): Promise<string> {
  const post = buildPost(author);
  expect((await author.rest('POST', 'journal_posts', post)).status).toBe(201);
  return String(post.id);
}

it('a client on a channel gets a resync after SQL that has written, and none after SQL that reads', async () => {
  const token = await secretKeyOf(server);
  const sql = (query: string) =>
    fetch(`${server.url}/api/db/journal/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
  const socket = await openTestSocket(`${server.url.replace('http', 'ws')}/api/realtime?project_id=journal`);
  socket.send('subscribe', { channel: 'gallery' });
  await socket.next('subscribed');
  expect((await sql('SELECT id FROM journal_posts')).status).toBe(200);
  expect(socket.of('resync')).toEqual([]);
  expect((await sql('UPDATE journal_posts SET updated_at = updated_at + 1')).status).toBe(200);
  expect(await socket.next('resync')).toMatchObject({ channel: 'gallery' });
  await socket.close();
});

describe.each(versions)('the public client %s', (_, createClient) => {
  let service: PublicClient;

  /** The old version has no secret keys, so both send the key in place of a user's token. */
  const connect = (token: string) => connectPublicClient(createClient, { origin: server.url, token });

  beforeAll(async () => {
    service = connect(await secretKeyOf(server));
  });

  it('the public client runs SQL through the database and through a table', async () => {
    const id = await publish();
    const query = 'SELECT id, title_en, created_at FROM journal_posts WHERE id = ?';
    const expected = {
      rows: [{ id, titleEn: 'en: The eye', createdAt: expect.any(Number) }],
      columns: ['id', 'title_en', 'created_at'],
      rowCount: 1,
      executionTime: expect.any(Number),
    };
    expect(await service.db.sql(query, [id])).toEqual(expected);
    const posts = service.db.table('journalPosts') as unknown as PublicClient['db'];
    expect(await posts.sql(query, [id])).toEqual(expected);
  });

  it('a page shows the changes of SQL statements and batches in the next request', async () => {
    const id = await publish();
    const path = `/post/${id}?lang=en`;
    expect((await page(path)).html).toContain('en: The eye');
    await service.db.sql('UPDATE journal_posts SET title_en = $1 WHERE id = $2', ['The ear', id]);
    expect((await page(path)).html).toContain('The ear');
    for (const round of [1, 2, 3]) {
      await service.db.batch([
        { sql: 'UPDATE journal_posts SET content_en = ? WHERE id = ?', args: [`Round ${round}.`, id] },
        { sql: 'UPDATE journal_posts SET updated_at = updated_at + 1' },
      ]);
      expect((await page(path)).html).toContain(`Round ${round}.`);
    }
    await service.db.sql('DELETE FROM journal_posts WHERE id = ?', [id]);
    expect((await page(path)).status).toBe(404);
  });

  it('a page shows an author’s name that SQL has changed in the next request', async () => {
    const id = await publish();
    expect((await page(`/post/${id}?lang=en`)).html).toContain('Dr Mara Lind');
    const rename = (name: string) =>
      service.db.sql('UPDATE users SET display_name = ? WHERE id = ?', [name, author.id]);
    await rename('Dr M. Lind');
    expect((await page(`/post/${id}?lang=en`)).html).toContain('Dr M. Lind');
    await rename('Dr Mara Lind');
    expect((await page(`/post/${id}?lang=en`)).html).toContain('Dr Mara Lind');
  });
});
