import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openTestRealtime } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { type RedisServer, startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { createClient } from '@redis/client';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ChangeEvent } from '../../../core/bus.ts';
import type { ProjectDefinition } from '../../../core/project.ts';
import { createRedisBroker } from '../broker/redis-broker.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

const log = pino({ level: 'silent' });
/** A channel of its own for each test. */
let channel = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  channel = `public:${tests}`;
});

const publish = (data: unknown) => ({ channel, type: 'note', data });
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Announces every change in the channel of the test. */
const announcing: NodeOptions = {
  definition: { announce: ({ id }) => [{ channel, type: 'note', data: { id } }] },
};

const change: ChangeEvent = {
  projectId: 'journal',
  table: 'names',
  operation: 'update',
  id: 'row',
  changed: [],
  before: null,
  after: null,
};

/** Returns the rows of the nodes that may have something to announce. */
const nodeRows = async () => {
  const reader = accounts.projects.get('journal')?.database.reader;
  return (await reader?.selectFrom('announcing_nodes').selectAll().execute())?.length;
};

async function startRedis(options?: { persist: boolean }): Promise<RedisServer> {
  const redis = await startRedisServer(options);
  onTestFinished(() => redis.close());
  return redis;
}

interface NodeOptions {
  /** Milliseconds that Redis may take for a command: many, so that no busy machine passes for a Redis that hangs. */
  timeoutMs?: number;
  definition?: Partial<ProjectDefinition>;
  /** Milliseconds without a sign of life after which a node counts as dead. */
  deadMs?: number;
}

/** For tests that wait until Redis has taken too long. */
const HANGING: NodeOptions = { timeoutMs: 1_000 };

/** Opens a node; any number of nodes may share a Redis. */
async function openNode(redis: RedisServer, { timeoutMs = 30_000, definition, deadMs }: NodeOptions = {}) {
  const broker = await createRedisBroker({ url: redis.url, log, heartbeatMs: 50, timeoutMs });
  const node = await openTestRealtime({
    accounts,
    broker,
    ...(definition && { definition, beatMs: 50 }),
    ...(deadMs !== undefined && { deadMs }),
  });
  return {
    ...node,
    broker,
    async listen(metadata?: { name: string }) {
      const socket = await node.open();
      socket.send('subscribe', { channel, ...(metadata && { metadata }) });
      await socket.next('subscribed');
      return socket;
    },
    say: (data: unknown) => node.call('POST', 'publish', { body: publish(data) }),
    isReady: () => node.realtime.state().ready,
  };
}

describe('two nodes on one Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.close());

  it('two nodes on one Redis share messages, history and presence', async () => {
    const [one, two] = [await openNode(redis), await openNode(redis)];
    const [ada, ben] = [await one.listen({ name: 'Ada' }), await two.listen({ name: 'Ben' })];
    for (const n of upTo(20)) await (n % 2 ? one : two).say(n);
    for (const socket of [ada, ben]) await expect.poll(() => socket.dataOf(channel)).toEqual(upTo(20));
    const { body } = await two.call('GET', `messages?channel=${channel}`);
    expect(body.messages).toEqual(ada.of('message'));
    for (const socket of [ada, ben]) {
      const names = () =>
        socket
          .of('presence')
          .at(-1)
          ?.data.users.map(({ metadata }) => metadata.name);
      await expect.poll(names).toEqual(['Ada', 'Ben']);
    }
    await ben.close();
    await expect.poll(() => ada.of('presence').at(-1)?.data.users).toHaveLength(1);
  });

  it('a client that reconnects to the other node continues where it left off, even before that node has the newest message', async () => {
    const [one, two] = [await openNode(redis), await openNode(redis)];
    const [ada, watcher] = [await one.listen(), await two.listen()];
    for (const n of upTo(30)) {
      await one.say(n);
      if (n === 9) await expect.poll(() => ada.dataOf(channel)).toHaveLength(10);
      if (n === 9) await ada.close();
    }
    const again = await two.open();
    again.send('subscribe', { channel, after: ada.of('message').at(-1)?.id ?? '' });
    await one.say(30);
    await expect.poll(() => again.dataOf(channel).length).toBe(21);
    expect([...ada.dataOf(channel), ...again.dataOf(channel)]).toEqual(upTo(31));
    await expect.poll(() => watcher.dataOf(channel)).toEqual(upTo(31));
  });

  it('clients that reconnect to changing nodes lose and repeat no message', async () => {
    const nodes = [await openNode(redis), await openNode(redis)];
    const { last: start } = await (nodes[0]?.broker.since(`journal:${channel}`, undefined) ?? {});
    let isOver = false;
    let visits = 0;
    const publishing = (async () => {
      for (const n of upTo(300)) {
        // Publishes no faster than the clients reconnect.
        if (n % 20 === 0) await expect.poll(() => visits, { interval: 2 }).toBeGreaterThanOrEqual(n / 5);
        await nodes[n % 2]?.broker.publish(`journal:${channel}`, `{"type":"n","data":${n}}`);
      }
      isOver = true;
    })();
    const logs = await Promise.all(
      upTo(12).map(async () => {
        const log: unknown[] = [];
        let at = start ?? '';
        while (log.length < 300) {
          visits += 1;
          const socket = await nodes[visits % 2]?.open();
          socket?.send('subscribe', { channel, after: at });
          await socket?.next('subscribed');
          if (isOver) await expect.poll(() => log.length + (socket?.dataOf(channel).length ?? 0)).toBe(300);
          await socket?.close();
          log.push(...(socket?.dataOf(channel) ?? []));
          at = socket?.of('message').at(-1)?.id ?? at;
        }
        return log;
      }),
    );
    await publishing;
    for (const log of logs) expect(log).toEqual(upTo(300));
  });

  it('a node knows a message that a client got from the other node, even if pub/sub lost it', async () => {
    const [one, two] = [await openNode(redis), await openNode(redis)];
    const key = `journal:${channel}`;
    const received: string[] = [];
    const nothing = () => undefined;
    const message = ({ id }: { id: string }) => received.push(id);
    await two.broker.subscribe(key, { message, lost: nothing, presence: nothing });
    const operator = createClient({ url: redis.url });
    await operator.connect();
    onTestFinished(() => operator.destroy());
    await operator.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
    const id = await one.broker.publish(key, '{"type":"note","data":0}');
    expect(await two.broker.since(key, id)).toEqual({ complete: true, last: id, messages: [] });
    // The listener gets this message before `since` returns, so that later ones are new to the caller.
    expect(received).toEqual([id]);
  });

  it('a node reads the messages that it missed while its pub/sub connection was lost', async () => {
    const [one, two] = [await openNode(redis), await openNode(redis)];
    const [ada, ben] = [await one.listen(), await two.listen()];
    const operator = createClient({ url: redis.url });
    await operator.connect();
    onTestFinished(() => operator.destroy());
    let published = 0;
    for (let round = 0; round < 3; round += 1) {
      await operator.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
      for (let count = 0; count < 10; count += 1) {
        await expect.poll(async () => (await one.say(published)).status, { interval: 5 }).toBe(200);
        published += 1;
      }
    }
    for (const socket of [ada, ben]) {
      await expect.poll(() => socket.dataOf(channel).length).toBe(published);
      expect(socket.dataOf(channel)).toEqual(upTo(published));
      expect(socket.of('resync')).toEqual([]);
    }
  });

  it('the members of a killed node leave presence', async () => {
    const one = await openNode(redis);
    const ada = await one.listen({ name: 'Ada' });
    const code = `
      const { createRedisBroker } = await import(${JSON.stringify(fileURLToPath(new URL('../broker/redis-broker.ts', import.meta.url)))});
      const log = { info() {}, warn() {}, debug() {} };
      const broker = await createRedisBroker({ url: ${JSON.stringify(redis.url)}, log, heartbeatMs: 50 });
      await broker.join('journal:${channel}', { socketId: 's', userId: 'doomed', metadata: {}, joinedAt: 1, lastSeen: 1 });
      setInterval(() => undefined, 1_000);
    `;
    const node = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
    onTestFinished(() => void node.kill('SIGKILL'));
    const users = () => ada.of('presence').at(-1)?.data.users.length;
    await expect.poll(users).toBe(2);
    node.kill('SIGKILL');
    await expect.poll(users).toBe(1);
  });
});

describe('when Redis goes away', () => {
  it('while Redis is away sockets stay open and publishing fails, and everything continues when it is back', async () => {
    const redis = await startRedis({ persist: true });
    const [one, two] = [await openNode(redis), await openNode(redis)];
    const [ada, ben] = [await one.listen({ name: 'Ada' }), await two.listen({ name: 'Ben' })];
    for (const n of upTo(5)) await one.say(n);
    await redis.kill();
    await expect.poll(() => one.isReady() || two.isReady()).toBe(false);
    expect(await one.say('lost?')).toMatchObject({ status: 503, body: { code: 'REALTIME_UNAVAILABLE' } });
    ada.send('publish', publish('lost?'));
    expect(await ada.next('error')).toMatchObject({ channel, code: 'REALTIME_UNAVAILABLE' });
    ben.send('subscribe', { channel: 'public:b' });
    expect(await ben.next('error')).toMatchObject({ channel: 'public:b', code: 'REALTIME_UNAVAILABLE' });
    await redis.start();
    await expect.poll(() => one.isReady() && two.isReady()).toBe(true);
    for (const n of [5, 6, 7]) expect((await two.say(n)).status).toBe(200);
    for (const socket of [ada, ben]) {
      await expect.poll(() => socket.dataOf(channel)).toEqual(upTo(8));
      expect(socket.of('resync')).toEqual([]);
    }
    // A member whose node is late with a heartbeat is absent until the next one.
    const users = async () => (await one.call('GET', `presence?channel=${channel}`)).body.users;
    await expect.poll(users).toHaveLength(2);
  });

  it('each subscriber gets one resync when Redis comes back empty', async () => {
    const redis = await startRedis();
    const [one, two] = [await openNode(redis), await openNode(redis)];
    const [ada, ben] = [await one.listen(), await two.listen()];
    for (const n of upTo(3)) await one.say(n);
    await expect.poll(() => ben.dataOf(channel)).toHaveLength(3);
    await redis.kill();
    await redis.start();
    await expect.poll(() => one.isReady() && two.isReady()).toBe(true);
    for (const n of [3, 4]) await expect.poll(async () => (await two.say(n)).status).toBe(200);
    for (const socket of [ada, ben]) {
      await expect.poll(() => socket.dataOf(channel)).toEqual(upTo(5));
      await expect.poll(() => socket.of('resync').length).toBe(1);
    }
    const late = await one.open();
    late.send('subscribe', { channel, after: ada.of('message')[1]?.id ?? '' });
    await late.next('resync');
  });

  it('publishing fails soon while Redis hangs', async () => {
    const redis = await startRedis();
    const one = await openNode(redis, HANGING);
    const ada = await one.listen();
    redis.pause();
    const response = await one.say('lost?');
    await expect.poll(() => one.isReady()).toBe(false);
    redis.resume();
    expect(response).toMatchObject({ status: 503, body: { code: 'REALTIME_UNAVAILABLE' } });
    await expect.poll(() => one.isReady()).toBe(true);
    await expect.poll(async () => (await one.say('found')).status).toBe(200);
    await expect.poll(() => ada.dataOf(channel).at(-1)).toBe('found');
  });

  it('a node starts while Redis is away and becomes ready when it is back', async () => {
    const redis = await startRedis();
    await redis.kill();
    const one = await openNode(redis, HANGING);
    expect(one.realtime.state()).toEqual({ ready: false, reason: 'Redis is away.' });
    await redis.start();
    await expect.poll(() => one.isReady()).toBe(true);
    const ada = await one.listen();
    await one.say(1);
    await expect.poll(() => ada.dataOf(channel)).toEqual([1]);
  });
});

describe('nodes that announce changes', () => {
  it('clients of all nodes fetch anew when a node has ended before it could announce a change', async () => {
    const redis = await startRedis();
    const options = { ...HANGING, ...announcing, deadMs: 300 };
    const [stopped, other] = [await openNode(redis, options), await openNode(redis, options)];
    await expect.poll(nodeRows).toBe(2);
    const [here, away] = [await other.listen(), await other.listen()];
    const { last } = away.of('subscribed')[0] ?? {};
    await away.close();
    redis.pause();
    stopped.bus.publish(change);
    await stopped.realtime.close();
    redis.resume();
    // While Redis hung, the other node may have missed something as well.
    await expect.poll(() => here.of('resync').length).toBeGreaterThan(0);
    const back = await other.open();
    back.send('subscribe', { channel, after: last ?? '' });
    await expect.poll(() => back.of('resync').length).toBeGreaterThan(0);
    await expect.poll(nodeRows).toBe(1);
  });

  it('a node that has announced everything ends without having anybody fetch anew', async () => {
    const redis = await startRedis();
    const [stopped, other] = [await openNode(redis, announcing), await openNode(redis, announcing)];
    const socket = await other.listen();
    await expect.poll(nodeRows).toBe(2);
    stopped.bus.publish(change);
    await stopped.realtime.close();
    expect(await nodeRows()).toBe(1);
    await expect.poll(() => socket.dataOf(channel)).toEqual([{ id: 'row' }]);
    expect(socket.of('resync')).toEqual([]);
  });
});
