import { BEHIND_PROXY } from '@fabrica/test-peers/ip-addresses.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectPublicClient,
  expectNoLimits,
  type PublicClient,
  signUpWith,
  versions,
} from './connect-public-client.ts';

/** FABRICA_URL names a running service to test in place of a new one. */
let origin = process.env.FABRICA_URL ?? '';
const projectId = process.env.FABRICA_PROJECT ?? 'journal';
let server: RunningServer | undefined;

beforeAll(async () => {
  if (origin) return;
  server = await startServer({ DEMO: 'off', ...BEHIND_PROXY });
  origin = server.url;
});

afterAll(() => server?.close());

expectNoLimits(() => server);

describe.each(versions)('the public client %s', (version, createClient) => {
  let client: PublicClient;
  let userId: string;
  const email = `reader-${version}-${Date.now()}@example.org`;
  const password = 'a long enough passphrase';

  const connect = () => connectPublicClient(createClient, { origin, projectId });

  beforeAll(async () => {
    client = connect();
    userId = (await signUpWith(client, email, { displayName: 'Ada' })).id;
  });

  const post = (over: Record<string, unknown> = {}) => ({
    userId,
    title: 'The eye, "seen" (again), and why',
    content: 'First line.\nSecond line.',
    imageUrl: '/storage/journal/posts/1.png',
    titleEn: 'The eye',
    createdAt: Date.now(),
    updatedAt: Date.now(),
    published: 1,
    ...over,
  });

  it('the public client gets codes for a wrong password and for a taken or invalid e-mail address', async () => {
    const stranger = connect();
    await expect(stranger.auth.signInWithEmail(email, 'not the passphrase')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(stranger.auth.signUp({ email, password })).rejects.toMatchObject({
      code: 'EMAIL_ALREADY_EXISTS',
    });
    await expect(stranger.auth.signUp({ email: 'no address', password })).rejects.toMatchObject({
      code: 'INVALID_EMAIL',
    });
  });

  it('the public client likes a post once, however often it tries', async () => {
    const made = await client.db.table<Record<string, unknown>>('journalPosts').create(post());
    const likes = client.db.table<Record<string, unknown>>('postLikes');
    const like = { postId: String(made.id), userId, createdAt: Date.now() };
    const first = await likes.create(like);
    const second = await likes.create(like);
    expect(second.id).toBe(first.id);
    expect(await likes.count({ where: { postId: String(made.id) } })).toBe(1);
    await client.db.table('journalPosts').delete(String(made.id));
    expect(await likes.count({ where: { postId: String(made.id) } })).toBe(0);
  });

  it('the public client lists likes and comments by the queries of the specification', async () => {
    type Row = Record<string, string | number>;
    const other = connect();
    const otherId = (await signUpWith(other, `other-${email}`, {})).id;
    const made = await client.db.table<Record<string, unknown>>('journalPosts').create(post());
    const postId = String(made.id);
    const elsewhere = await client.db.table<Record<string, unknown>>('journalPosts').create(post());
    const tables = (of: PublicClient) => ({
      likes: of.db.table<Row>('postLikes'),
      comments: of.db.table<Row>('postComments'),
      commentLikes: of.db.table<Row>('commentLikes'),
    });
    const [mine, theirs] = [tables(client), tables(other)];

    await mine.likes.create({ postId, userId });
    await mine.likes.create({ postId: String(elsewhere.id), userId });
    await theirs.likes.create({ postId, userId: otherId });
    // All are counted, and none but one's own says whose it is.
    const usersOf = (rows: Row[]) => rows.map((row) => row.userId ?? 'somebody').sort();
    const ownAndOther = [userId, 'somebody'].sort();
    expect(usersOf(await mine.likes.list({ where: { postId } }))).toEqual(ownAndOther);
    expect(await mine.likes.list({ where: { postId, userId: otherId } })).toEqual([]);
    const own = await mine.likes.list({ where: { postId, userId } });
    expect(own).toMatchObject([{ postId, userId }]);
    await mine.likes.delete(String(own[0]?.id));
    expect(usersOf(await mine.likes.list({ where: { postId } }))).toEqual(['somebody']);

    const written: Row[] = [];
    for (const content of ['first', 'second', 'third']) {
      written.push(await mine.comments.create({ postId, userId, userName: 'Ada', content }));
    }
    const newestFirst = written.toSorted(
      (a, b) => Number(b.createdAt) - Number(a.createdAt) || (String(b.id) > String(a.id) ? 1 : -1),
    );
    const comments = await theirs.comments.list({ where: { postId }, orderBy: { createdAt: 'desc' } });
    expect(comments).toEqual(newestFirst);

    await theirs.commentLikes.create({ commentId: String(comments[0]?.id), userId: otherId });
    await mine.commentLikes.create({ commentId: String(comments[0]?.id), userId });
    const likers = comments.map(async ({ id }) =>
      usersOf(await mine.commentLikes.list({ where: { commentId: String(id) } })),
    );
    expect(await Promise.all(likers)).toEqual([ownAndOther, [], []]);
    expect(
      await mine.commentLikes.list({ where: { commentId: String(comments[0]?.id), userId } }),
    ).toMatchObject([{ userId }]);
    for (const { id } of [made, elsewhere]) await client.db.table('journalPosts').delete(String(id));
  });

  it('the public client uploads a publicly readable file and removes it', async () => {
    const path = `posts/${Date.now()}-${version}.png`;
    const file = new File([PIXEL], 'pixel.png', { type: 'image/png' });
    const { publicUrl } = await client.storage.upload(file, path, { upsert: true });
    const response = await fetch(publicUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PIXEL);

    await client.storage.remove(path);
    expect((await fetch(publicUrl)).status).toBe(404);
  });
});

describe('a URL that is too long', () => {
  const titled = (length: number) =>
    fetch(`${origin}/api/db/${projectId}/rest/v1/journal_posts?title=eq.${'x'.repeat(length)}`);

  it('a query of more than 100,000 characters is refused with INVALID_FILTER', async () => {
    const response = await titled(100_001);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'The query is too long.', code: 'INVALID_FILTER' }),
    ]);
  });

  it('a URL of a megabyte is refused with status 431 and a sentence', async () => {
    const response = await titled(1_000_000);
    expect([response.status, await response.json()]).toEqual([
      431,
      expect.objectContaining({ error: expect.stringMatching(/128 kB/), code: 'PAYLOAD_TOO_LARGE' }),
    ]);
  });
});

const PIXEL = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
