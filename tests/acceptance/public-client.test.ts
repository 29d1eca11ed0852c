import { createClient as createNewest } from '@blinkdotnew/sdk';
import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { createClient as createOld } from 'blink-sdk-0.18';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A client of the wire contract that nobody here wrote, pointed at our origin. */
type PublicClient = ReturnType<typeof createNewest>;

/** FABRICA_URL names a running service to test instead of one of our own; it needs a text model. */
let origin = process.env.FABRICA_URL ?? '';
const projectId = process.env.FABRICA_PROJECT ?? 'journal';
let close: () => Promise<void> = async () => {};

beforeAll(async () => {
  if (origin) return;
  const provider = await startOpenAiStandIn();
  const server = await startServer({
    AI_BASE_URL: provider.url,
    AI_TEXT_MODEL: 'stand-in',
    DEMO: 'off',
    RATE_LIMIT: 'off',
  });
  origin = server.url;
  close = async () => {
    await server.close();
    await provider.close();
  };
});

afterAll(() => close());

const versions = [
  ['2.9.0', createNewest],
  ['0.18.8', createOld as unknown as typeof createNewest],
] as const;

describe.each(versions)('the public client %s', (version, createClient) => {
  let client: PublicClient;
  let userId: string;
  const email = `reader-${version}-${Date.now()}@example.org`;
  const password = 'a long enough passphrase';

  const connect = () => {
    const made = createClient({ projectId, auth: { mode: 'headless', authUrl: origin, coreUrl: origin } });
    // This client keeps `coreUrl` for its sockets; its calls go to the address in its HTTP client.
    Object.assign((made.storage as unknown as { httpClient: object }).httpClient, {
      authUrl: origin,
      coreUrl: origin,
    });
    return made;
  };

  beforeAll(async () => {
    client = connect();
    const user = await client.auth.signUp({ email, password, displayName: 'Ada' } as Parameters<
      typeof client.auth.signUp
    >[0]);
    userId = user.id;
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

  it('signs up, signs in and tells who is signed in', async () => {
    const again = connect();
    const user = await again.auth.signInWithEmail(email, password);
    expect(user).toMatchObject({ id: userId, email, displayName: 'Ada' });
    expect(await again.auth.me()).toMatchObject({ id: userId, email });
  });

  it('is told by code when the password is wrong, the address is taken or is none', async () => {
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

  it('creates, reads, lists, counts, updates and deletes rows', async () => {
    const posts = client.db.table<Record<string, unknown>>('journalPosts');
    const made = await posts.create(post());
    expect(made).toMatchObject({ userId, titleEn: 'The eye', published: 1 });
    const id = String(made.id);

    expect(await posts.get(id)).toMatchObject({ id, title: 'The eye, "seen" (again), and why' });
    const listed = await posts.list({
      where: { userId, published: 1 },
      orderBy: { createdAt: 'desc' },
      limit: 5,
      select: ['id', 'titleEn'],
    });
    expect(listed).toEqual([{ id, titleEn: 'The eye' }]);
    expect(await posts.count({ where: { userId } })).toBe(1);
    expect(await posts.update(id, { titleEn: 'The eye, revised' })).toMatchObject({
      titleEn: 'The eye, revised',
    });

    await posts.delete(id);
    expect(await posts.get(id)).toBeNull();
  });

  it('filters by groups, lists of values and patterns', async () => {
    const posts = client.db.table<Record<string, unknown>>('journalPosts');
    const made = await posts.createMany(['alpha', 'beta', 'gamma'].map((title) => post({ title })));
    const ids = made.map((row) => String(row.id));
    const titles = async (where: Record<string, unknown>) =>
      (await posts.list({ where, orderBy: { title: 'asc' } })).map((row) => row.title);

    expect(await titles({ id: { in: ids } })).toEqual(['alpha', 'beta', 'gamma']);
    const strangers = Array.from(
      { length: 997 },
      (_, index) => `post_1760000000000_${String(index).padStart(16, '0')}`,
    );
    expect(await titles({ id: { in: [...strangers, ...ids] } })).toEqual(['alpha', 'beta', 'gamma']);
    expect(await titles({ userId, title: { like: 'gam%' } })).toEqual(['gamma']);
    // The old client cuts its groups off at their first "=": nothing could answer that.
    if (version === '2.9.0') {
      expect(
        await titles({ AND: [{ userId }, { OR: [{ title: 'alpha' }, { title: { like: 'gam%' } }] }] }),
      ).toEqual(['alpha', 'gamma']);
      expect(await titles({ AND: [{ userId }, { title: { neq: 'beta' } }] })).toEqual(['alpha', 'gamma']);
    }
    for (const id of ids) await posts.delete(id);
    expect(await posts.count({ where: { userId } })).toBe(0);
  });

  it('gives a like once, however often it is asked to', async () => {
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

  it('uploads a file that everybody can then read, and removes it', async () => {
    const path = `posts/${Date.now()}-${version}.png`;
    const file = new File([PIXEL], 'pixel.png', { type: 'image/png' });
    const { publicUrl } = await client.storage.upload(file, path, { upsert: true });
    const answer = await fetch(publicUrl);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PIXEL);

    await client.storage.remove(path);
    expect((await fetch(publicUrl)).status).toBe(404);
  });

  it('generates text', async () => {
    const answer = await client.ai.generateText({ prompt: 'Translate to German: heart', maxTokens: 2000 });
    expect(answer.text).not.toBe('');
    expect(answer.finishReason).toBe('stop');
  });
});

describe('an address that is too long', () => {
  const titled = (length: number) =>
    fetch(`${origin}/api/db/${projectId}/rest/v1/journal_posts?title=eq.${'x'.repeat(length)}`);

  it('is refused by the language from 100,000 characters on', async () => {
    const answer = await titled(100_001);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'The query is too long.', code: 'INVALID_FILTER' }),
    ]);
  });

  it('is refused by the server in a sentence when it is a megabyte', async () => {
    const answer = await titled(1_000_000);
    expect([answer.status, await answer.json()]).toEqual([
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
