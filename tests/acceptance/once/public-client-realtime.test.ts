import { BEHIND_PROXY } from '@fabrica/test-peers/ip-addresses.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  connectPublicClient,
  expectNoLimits,
  type PublicClient,
  signUpWith,
  versions,
} from '../connect-public-client.ts';

/** Realtime of a client that is not part of this project, whose sockets carry no token. */
type Message = Parameters<Parameters<PublicClient['realtime']['subscribe']>[1]>[0];

/** FABRICA_URL names a running service to test in place of a new one. */
let origin = process.env.FABRICA_URL ?? '';
const projectId = process.env.FABRICA_PROJECT ?? 'journal';
let server: RunningServer | undefined;
let close: () => Promise<void> = async () => {};

beforeAll(async () => {
  if (origin) return;
  const started = await startServer({ DEMO: 'off', ...BEHIND_PROXY });
  server = started;
  origin = server.url;
  close = started.close;
});
afterAll(() => close());

expectNoLimits(() => server);

/** Holds the sockets of these clients: a connection for all channels, or one in each channel. */
interface OpenRealtime {
  connection?: { channels: Map<string, unknown>; disconnect(): void };
  channels?: Map<string, { cleanup?(): void }>;
}

/** Ends all sockets: a client with a channel would reconnect, and complain, after the end of the server. */
function endSockets({ connection, channels }: OpenRealtime): void {
  connection?.channels.clear();
  connection?.disconnect();
  for (const channel of channels?.values() ?? []) channel.cleanup?.();
}

describe.each(versions)('realtime of the public client %s', (version, createClient) => {
  let client: PublicClient;
  let other: PublicClient;
  let userId: string;
  /** Functions that leave the channels of a test, which closes the sockets of this client. */
  const leave: (() => void)[] = [];
  let tests = 0;
  let channel: string;

  const connect = () => connectPublicClient(createClient, { origin, projectId });

  beforeAll(async () => {
    [client, other] = [connect(), connect()];
    userId = (await signUpWith(client, `realtime-${version}-${Date.now()}@example.org`)).id;
  });
  beforeEach(() => {
    // This client logs every step.
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    tests += 1;
    channel = `public:${version}:${tests}:${Date.now()}`;
  });
  afterEach(() => {
    for (const end of leave.splice(0)) end();
    vi.restoreAllMocks();
  });

  afterAll(() => {
    for (const one of [client, other]) endSockets(one.realtime as unknown as OpenRealtime);
  });

  async function receive(
    by: PublicClient,
    options?: { userId?: string; metadata?: Record<string, unknown> },
  ) {
    const received: Message[] = [];
    leave.push(await by.realtime.subscribe(channel, (message) => received.push(message), options));
    return received;
  }

  it('the public client receives messages that it and others publish', async () => {
    const received = await receive(client);
    const echo = await receive(other);
    const id = await other.realtime.publish(
      channel,
      'note',
      { text: 'Hello' },
      { userId: 'ben', metadata: { a: 1 } },
    );
    await expect.poll(() => [received.length, echo.length]).toEqual([1, 1]);
    expect(received[0]).toMatchObject({
      id,
      type: 'note',
      data: { text: 'Hello' },
      timestamp: expect.any(Number),
      userId: 'ben',
      metadata: { a: 1 },
    });
  });

  it('the public client receives messages in their order', async () => {
    const received = await receive(client);
    const numbers = Array.from({ length: 20 }, (_, at) => at);
    for (const n of numbers) await other.realtime.publish(channel, 'count', n);
    await expect.poll(() => received.map(({ data }) => data)).toEqual(numbers);
  });

  it('the public client reads earlier messages', async () => {
    await receive(client);
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await client.realtime.publish(channel, 'count', n));
    const readData = async (options?: { limit?: number; after?: string; before?: string }) =>
      (await client.realtime.channel(channel).getMessages(options)).map(({ data }) => data);
    expect(await readData()).toEqual([1, 2, 3]);
    expect(await readData({ limit: 2 })).toEqual([2, 3]);
    expect(await readData({ after: ids[1] ?? '' })).toEqual([2, 3]);
    expect(await readData({ before: ids[1] ?? '' })).toEqual([1, 2]);
  });

  it('the public client lists the users of a channel until they leave', async () => {
    const seen: string[][] = [];
    await receive(client, { userId: 'ada', metadata: { colour: 'red' } });
    leave.push(client.realtime.onPresence(channel, (users) => seen.push(users.map((user) => user.userId))));
    await receive(other, { userId: 'ben' });
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

  it('the public client is a guest on its socket, even under the id of its account', async () => {
    await receive(client, { userId });
    expect(await client.realtime.presence(channel)).toMatchObject([{ userId: `guest:${userId}` }]);
    const received = await receive(other);
    await client.realtime.publish(channel, 'note', 'mine', { userId });
    await expect.poll(() => received[0]?.userId).toBe(`guest:${userId}`);
  });

  it('the public client is told why it may not subscribe or publish', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await expect(client.realtime.subscribe('team', () => undefined)).rejects.toThrow('Please sign in first.');
    await expect(client.realtime.publish('gallery', 'note', 1)).rejects.toThrow('You may not do this');
    // The newest version keeps a refused channel, for which it would reconnect after the end of the server.
    const { connection } = client.realtime as unknown as {
      connection?: { leaveChannel(name: string): Promise<void> };
    };
    await connection?.leaveChannel('team');
  });

  it('the public client receives events of posts and likes', async () => {
    channel = 'gallery';
    const received = await receive(other);
    const post = await client.db.table<Record<string, unknown>>('journalPosts').create({
      userId,
      title: 'The eye',
      content: 'First line.',
      imageUrl: '/storage/journal/posts/1.png',
      published: 1,
    });
    await expect
      .poll(() => received.map(({ type, data }) => ({ type, data })))
      .toContainEqual({ type: 'post.published', data: { id: post.id } });
    channel = `post:${post.id}`;
    const likes = await receive(other);
    await client.db.table<Record<string, unknown>>('postLikes').create({ postId: String(post.id), userId });
    await expect.poll(() => likes.map(({ type }) => type)).toEqual(['like.created']);
    await client.db.table('journalPosts').delete(String(post.id));
  });
});
