import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Author, buildPost, secretKeyOf, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, it, onTestFinished } from 'vitest';

const COMMENTS = 10_000;

/** Creates a post with many comments, and returns its id. */
async function createPost(server: RunningServer, author: Author): Promise<string> {
  const post = buildPost(author);
  const id = String(post.id);
  expect((await author.rest('POST', 'journal_posts', post)).status).toBe(201);
  const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COMMENTS})
    INSERT INTO post_comments (id, post_id, user_id, user_name, content, created_at)
    SELECT '${id}-' || i, '${id}', '${author.id}', 'Ada', hex(zeroblob(500)), i FROM n`;
  const response = await fetch(`${server.url}/api/db/journal/sql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await secretKeyOf(server)}` },
    body: JSON.stringify({ query }),
  });
  expect(response.status).toBe(200);
  return id;
}

it('a process that is killed while it deletes a post with many comments leaves all of them or none', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fabrica-kill-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { DEMO: 'off', RATE_LIMIT: 'off' };
  let server = await startServer(settings, dataDir);
  onTestFinished(() => server.close());
  const author = await signUp(server);
  const [first, second] = [await createPost(server, author), await createPost(server, author)];
  const began = performance.now();
  expect((await author.rest('DELETE', `journal_posts?id=eq.${first}`)).status).toBe(200);
  const took = performance.now() - began;

  const interrupted = author.rest('DELETE', `journal_posts?id=eq.${second}`).then(
    ({ status }) => status,
    () => undefined,
  );
  await wait(took / 2);
  await server.stop('SIGKILL');
  const status = await interrupted;
  server = await startServer(settings, dataDir);
  const count = async (table: string, column: string, id: string) => {
    const rows = await serviceRest(server)('GET', `${table}?${column}=eq.${id}&select=id&limit=10000`);
    return ((await rows.json()) as unknown[]).length;
  };
  const posts = await count('journal_posts', 'id', second);
  expect(await count('post_comments', 'post_id', second)).toBe(posts * COMMENTS);
  if (status === 200) expect(posts).toBe(0);
  expect(await count('post_comments', 'post_id', first)).toBe(0);
});
