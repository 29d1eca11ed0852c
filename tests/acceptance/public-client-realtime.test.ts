import { createClient as createNewest } from '@blinkdotnew/sdk';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { createClient as createOld } from 'blink-sdk-0.18';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

/** A client of the wire contract that nobody here wrote, pointed at our origin; its sockets carry no token. */
type PublicClient = ReturnType<typeof createNewest>;
type Message = Parameters<Parameters<PublicClient['realtime']['subscribe']>[1]>[0];

/** FABRICA_URL names a running service to test instead of one of our own. */
let origin = process.env.FABRICA_URL ?? '';
const projectId = process.env.FABRICA_PROJECT ?? 'journal';
let close: () => Promise<void> = async () => {};

beforeAll(async () => {
  if (origin) return;
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  origin = server.url;
  close = server.close;
});
afterAll(() => close());

const versions = [
  ['2.9.0', createNewest],
  ['0.18.8', createOld as unknown as typeof createNewest],
] as const;

describe.each(versions)('realtime of the public client %s', (version, createClient) => {
  let client: PublicClient;
  let other: PublicClient;
  let userId: string;
  /** Leaves the channels that a test is in: this client ends its sockets with them. */
  const leave: (() => void)[] = [];
  let tests = 0;
  let channel: string;

  const connect = () => {
    const made = createClient({ projectId, auth: { mode: 'headless', authUrl: origin, coreUrl: origin } });
    Object.assign((made.storage as unknown as { httpClient: object }).httpClient, {
      authUrl: origin,
      coreUrl: origin,
    });
    return made;
  };

  beforeAll(async () => {
    [client, other] = [connect(), connect()];
    const email = `realtime-${version}-${Date.now()}@example.org`;
    const password = 'a long enough passphrase';
    const user = await client.auth.signUp({ email, password } as Parameters<typeof client.auth.signUp>[0]);
    userId = user.id;
  });
  beforeEach(() => {
    // It tells of every step.
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    tests += 1;
    channel = `public:${version}:${tests}:${Date.now()}`;
  });
  afterEach(() => {
    for (const end of leave.splice(0)) end();
    vi.restoreAllMocks();
  });

  async function listen(by: PublicClient, options?: { userId?: string; metadata?: Record<string, unknown> }) {
    const heard: Message[] = [];
    leave.push(await by.realtime.subscribe(channel, (message) => heard.push(message), options));
    return heard;
  }

  it('hears what is published, by itself and by others', async () => {
    const heard = await listen(client);
    const echo = await listen(other);
    const id = await other.realtime.publish(
      channel,
      'note',
      { text: 'Hello' },
      { userId: 'ben', metadata: { a: 1 } },
    );
    await expect.poll(() => [heard.length, echo.length]).toEqual([1, 1]);
    expect(heard[0]).toMatchObject({
      id,
      type: 'note',
      data: { text: 'Hello' },
      timestamp: expect.any(Number),
      userId: 'ben',
      metadata: { a: 1 },
    });
  });

  it('hears them in their order', async () => {
    const heard = await listen(client);
    const numbers = Array.from({ length: 20 }, (_, at) => at);
    for (const n of numbers) await other.realtime.publish(channel, 'count', n);
    await expect.poll(() => heard.map(({ data }) => data)).toEqual(numbers);
  });

  it('reads what was said', async () => {
    await listen(client);
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await client.realtime.publish(channel, 'count', n));
    const said = async (options?: { limit?: number; after?: string; before?: string }) =>
      (await client.realtime.channel(channel).getMessages(options)).map(({ data }) => data);
    expect(await said()).toEqual([1, 2, 3]);
    expect(await said({ limit: 2 })).toEqual([2, 3]);
    expect(await said({ after: ids[1] ?? '' })).toEqual([2, 3]);
    expect(await said({ before: ids[1] ?? '' })).toEqual([1, 2]);
  });

  it('shows who is here, until they leave', async () => {
    const seen: string[][] = [];
    await listen(client, { userId: 'ada', metadata: { colour: 'red' } });
    leave.push(client.realtime.onPresence(channel, (users) => seen.push(users.map((user) => user.userId))));
    await listen(other, { userId: 'ben' });
    await expect.poll(() => seen.at(-1)).toEqual(['ada', 'ben']);
    expect(await client.realtime.presence(channel)).toEqual([
      {
        userId: 'ada',
        metadata: { colour: 'red' },
        joinedAt: expect.any(Number),
        lastSeen: expect.any(Number),
      },
      { userId: 'ben', metadata: {}, joinedAt: expect.any(Number), lastSeen: expect.any(Number) },
    ]);
    leave.pop()?.();
    await expect.poll(() => seen.at(-1)).toEqual(['ada']);
  });

  it('is an account’s in calls, and cannot pass for one on its socket, which has no token', async () => {
    await listen(client, { userId });
    expect(await client.realtime.presence(channel)).toMatchObject([{ userId: `guest:${userId}` }]);
    const heard = await listen(other);
    await client.realtime.publish(channel, 'note', 'mine', { userId });
    await expect.poll(() => heard[0]?.userId).toBe(`guest:${userId}`);
  });

  it('is told why it may not', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await expect(client.realtime.subscribe('team', () => undefined)).rejects.toThrow('Please sign in first.');
    await expect(client.realtime.publish('gallery', 'note', 1)).rejects.toThrow('You may not do this');
  });

  it('hears what happens to posts', async () => {
    channel = 'gallery';
    const heard = await listen(other);
    const post = await client.db.table<Record<string, unknown>>('journalPosts').create({
      userId,
      title: 'The eye',
      content: 'First line.',
      imageUrl: '/storage/journal/posts/1.png',
      published: 1,
    });
    await expect
      .poll(() => heard.map(({ type, data }) => ({ type, data })))
      .toContainEqual({ type: 'post.published', data: { id: post.id } });
    channel = `post:${post.id}`;
    const likes = await listen(other);
    await client.db.table<Record<string, unknown>>('postLikes').create({ postId: String(post.id), userId });
    await expect.poll(() => likes.map(({ type }) => type)).toEqual(['like.created']);
    await client.db.table('journalPosts').delete(String(post.id));
  });
});
