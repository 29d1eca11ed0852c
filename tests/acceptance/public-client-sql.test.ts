import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient as createNewest } from '@blinkdotnew/sdk';
import { type Author, buildPost, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { createClient as createOld } from 'blink-sdk-0.18';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** SQL by a client of the wire contract that nobody here wrote, on the journal, whose pages are kept. */
type PublicClient = ReturnType<typeof createNewest>;

let server: RunningServer;
let author: Author;

beforeAll(async () => {
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  author = await signUp(server, 'Dr Mara Lind');
});
afterAll(() => server?.close());

async function page(path: string): Promise<{ status: number; html: string }> {
  const answer = await fetch(`${server.url}${path}`);
  return { status: answer.status, html: await answer.text() };
}

async function publish(): Promise<string> {
  const post = buildPost(author);
  expect((await author.rest('POST', 'journal_posts', post)).status).toBe(201);
  return String(post.id);
}

const versions = [
  ['2.9.0', createNewest],
  ['0.18.8', createOld as unknown as typeof createNewest],
] as const;

describe.each(versions)('the public client %s', (version, createClient) => {
  let service: PublicClient;
  let signedIn: PublicClient;

  const connect = (token: string): PublicClient => {
    const auth = { mode: 'headless', authUrl: server.url, coreUrl: server.url } as const;
    const made = createClient({ projectId: 'journal', auth });
    // Both versions are given what they send in one way: the old one knows no secret keys.
    Object.assign((made.storage as unknown as { httpClient: object }).httpClient, {
      authUrl: server.url,
      coreUrl: server.url,
      getToken: () => token,
      getValidToken: undefined,
    });
    return made;
  };

  beforeAll(() => {
    service = connect(readFileSync(join(server.dataDir, 'keys', 'project-journal.secret'), 'utf8').trim());
    signedIn = connect(author.token);
  });

  it('asks in SQL, of the database and of a table', async () => {
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

  it('changes what a page shows at once, by each statement of a batch', async () => {
    const id = await publish();
    const address = `/post/${id}?lang=en`;
    expect((await page(address)).html).toContain('en: The eye');
    await service.db.sql('UPDATE journal_posts SET title_en = $1 WHERE id = $2', ['The ear', id]);
    expect((await page(address)).html).toContain('The ear');
    for (const turn of [1, 2, 3]) {
      await service.db.batch([
        { sql: 'UPDATE journal_posts SET content_en = ? WHERE id = ?', args: [`Turn ${turn}.`, id] },
        { sql: 'UPDATE journal_posts SET updated_at = updated_at + 1' },
      ]);
      expect((await page(address)).html).toContain(`Turn ${turn}.`);
    }
    await service.db.sql('DELETE FROM journal_posts WHERE id = ?', [id]);
    expect((await page(address)).status).toBe(404);
  });

  it('changes the name of an author, on every page', async () => {
    const id = await publish();
    expect((await page(`/post/${id}?lang=en`)).html).toContain('Dr Mara Lind');
    const rename = (name: string) =>
      service.db.sql('UPDATE users SET display_name = ? WHERE id = ?', [name, author.id]);
    await rename('Dr M. Lind');
    expect((await page(`/post/${id}?lang=en`)).html).toContain('Dr M. Lind');
    await rename('Dr Mara Lind');
    expect((await page(`/post/${id}?lang=en`)).html).toContain('Dr Mara Lind');
  });

  it('is told by status what is refused, and nothing of it is done', async () => {
    const table = `notes_${version.replaceAll('.', '_')}`;
    await service.db.sql(`CREATE TABLE ${table} (id text PRIMARY KEY NOT NULL)`);
    await service.db.sql(`INSERT INTO ${table} VALUES (?)`, ['a']);
    await expect(service.db.sql(`INSERT INTO ${table} VALUES (?)`, ['a'])).rejects.toMatchObject({
      status: 409,
    });
    await expect(service.db.sql('SELECT * FROM nowhere')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('nowhere'),
    });
    await expect(service.db.sql('DROP TABLE journal_posts')).rejects.toMatchObject({ status: 400 });
    await expect(service.db.sql(`DELETE FROM ${table}; SELECT 1`)).rejects.toMatchObject({ status: 400 });
    await expect(signedIn.db.sql(`DELETE FROM ${table}`)).rejects.toMatchObject({ status: 403 });
    await expect(signedIn.db.batch([{ sql: `DELETE FROM ${table}` }])).rejects.toMatchObject({ status: 403 });
    expect((await service.db.sql(`SELECT count(*) AS n FROM ${table}`)).rows).toEqual([{ n: 1 }]);
  });
});
