import {
  buildTestCluster,
  buildTestSentinels,
  type TestRedisGroup,
} from '@fabrica/backend/testing/realtime/build-test-redis.ts';
import { compareMessageIds } from '@fabrica/contract';
import { type RedisServer, startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Broker, ChannelListener, Member, StoredMessage } from './broker.ts';
import { createInProcessBroker } from './in-process-broker.ts';
import { createRedisBroker } from './redis-broker.ts';

const log = pino({ level: 'silent' });
const SLOW = { timeout: 30_000 };
const HOUR = 60 * 60 * 1_000;

/** Records what a listener gets, oldest first. */
function recordListener() {
  const messages: StoredMessage[] = [];
  const lost: string[] = [];
  let presence = 0;
  const listener: ChannelListener = {
    message: (message) => messages.push(message),
    lost: (last) => lost.push(last),
    presence: () => {
      presence += 1;
    },
  };
  return {
    listener,
    messages,
    lost,
    bodies: () => messages.map(({ body }) => body),
    presence: () => presence,
  };
}

const textOf = (text: string | number) => JSON.stringify({ type: 'note', data: text });
const member = (socketId: string, joinedAt: number): Member => ({
  socketId,
  userId: `user of ${socketId}`,
  metadata: { colour: 'red' },
  joinedAt,
  lastSeen: joinedAt,
});

let redis: RedisServer;
let sentinels: TestRedisGroup;
let cluster: TestRedisGroup;
beforeAll(async () => {
  [redis, sentinels, cluster] = await Promise.all([
    startRedisServer(),
    buildTestSentinels(),
    buildTestCluster(),
  ]);
}, 60_000);
afterAll(async () => {
  for (const one of [redis, sentinels, cluster]) await one?.close();
});

const openOn = ({ url }: TestRedisGroup, options = {}) =>
  createRedisBroker({ url, log, heartbeatMs: 500, ...options });

const brokers: [string, (options?: { maxMessages?: number; maxAgeMs?: number }) => Promise<Broker>][] = [
  ['in process', async (options) => createInProcessBroker(options)],
  ['on Redis', (options) => createRedisBroker({ url: redis.url, log, ...options })],
  ['on a Redis Cluster', (options) => openOn(cluster, options)],
];

describe.each(brokers)('a broker %s', (kind, create) => {
  let count = 0;
  const open = async (options?: { maxMessages?: number; maxAgeMs?: number }) => {
    const broker = await create(options);
    onTestFinished(() => broker.close());
    count += 1;
    return { broker, key: `journal:channel ${count} of ${kind}` };
  };

  it('published messages get increasing ids and are in the history', async () => {
    const { broker, key } = await open();
    const ids = await Promise.all(Array.from({ length: 50 }, (_, at) => broker.publish(key, textOf(at))));
    expect(ids).toEqual([...ids].sort(compareMessageIds));
    expect(new Set(ids).size).toBe(50);
    const history = await broker.history(key, { limit: 1_000 });
    expect(history).toEqual(ids.map((id, at) => ({ id, body: textOf(at) })));
  });

  it('the history returns the newest messages, or the first ones from an id on, oldest first', async () => {
    const { broker, key } = await open();
    const ids: string[] = [];
    for (let at = 0; at < 6; at += 1) ids.push(await broker.publish(key, textOf(at)));
    const indexesOf = async (range: object) =>
      (await broker.history(key, { limit: 2, ...range })).map(({ id }) => ids.indexOf(id));
    expect(await indexesOf({})).toEqual([4, 5]);
    expect(await indexesOf({ end: ids[2] })).toEqual([1, 2]);
    expect(await indexesOf({ start: ids[1] })).toEqual([1, 2]);
    expect(await indexesOf({ start: ids[1], end: ids[1] })).toEqual([1]);
    expect(await broker.history(`${key} and nothing in it`, { limit: 2 })).toEqual([]);
  });

  it('a channel stores only its newest messages', async () => {
    const { broker, key } = await open({ maxMessages: 3 });
    for (let at = 0; at < 5; at += 1) await broker.publish(key, textOf(at));
    const stored = await broker.history(key, { limit: 1_000 });
    expect(stored.map(({ body }) => body)).toEqual([2, 3, 4].map(textOf));
  });

  it('a listener gets each message after its position once, in order', async () => {
    const { broker, key } = await open();
    const before = await broker.publish(key, textOf('before'));
    const recorder = recordListener();
    expect(await broker.subscribe(key, recorder.listener)).toBe(before);
    for (let at = 0; at < 20; at += 1) await broker.publish(key, textOf(at));
    await expect.poll(() => recorder.messages.length).toBe(20);
    expect(recorder.bodies()).toEqual(Array.from({ length: 20 }, (_, at) => textOf(at)));
    broker.unsubscribe(key);
    await broker.publish(key, textOf('later'));
    await broker.since(key, before);
    expect(recorder.messages).toHaveLength(20);
  });

  it('a channel can be subscribed to again right after it was unsubscribed', async () => {
    const { broker, key } = await open();
    const recorders = Array.from({ length: 5 }, recordListener);
    const began: unknown[] = [];
    for (const [at, recorder] of recorders.entries()) {
      if (at > 0) broker.unsubscribe(key);
      began.push(broker.subscribe(key, recorder.listener));
    }
    await Promise.all(began);
    await broker.publish(key, textOf('again'));
    await expect.poll(() => recorders.at(-1)?.bodies()).toEqual([textOf('again')]);
    expect(recorders.slice(0, -1).flatMap((recorder) => recorder.bodies())).toEqual([]);
  });

  it('the messages after an id are returned, or reported as incomplete', async () => {
    const { broker, key } = await open({ maxMessages: 3 });
    const { last: start } = await broker.since(key, undefined);
    const first = await broker.publish(key, textOf('first'));
    expect(compareMessageIds(first, start)).toBeGreaterThan(0);
    const sinceStart = await broker.since(key, start);
    expect(sinceStart).toEqual({
      complete: true,
      last: first,
      messages: [{ id: first, body: textOf('first') }],
    });
    expect(await broker.since(key, first)).toEqual({ complete: true, last: first, messages: [] });
    for (let at = 0; at < 3; at += 1) await broker.publish(key, textOf(at));
    const { last } = await broker.since(key, undefined);
    expect(await broker.since(key, start)).toEqual({ complete: false, last, messages: [] });
    expect((await broker.since(key, `${Date.now() + HOUR}-0`)).complete).toBe(false);
    expect((await broker.since(key, '1-0')).complete).toBe(false);
  });

  it('the messages after an id from before the broker started are incomplete', async () => {
    const { broker, key } = await open();
    expect((await broker.since(key, `${Date.now() - HOUR}-0`)).complete).toBe(false);
  });

  it('a read returns 1 MiB at most, and more missed messages than that are incomplete', async () => {
    const { broker, key } = await open();
    const long = textOf('x'.repeat(60_000));
    const ids: string[] = [];
    for (let at = 0; at < 20; at += 1) ids.push(await broker.publish(key, long));
    const indexesOf = async (range: object) =>
      (await broker.history(key, { limit: 1_000, ...range })).map(({ id }) => ids.indexOf(id));
    expect(await indexesOf({})).toEqual(Array.from({ length: 17 }, (_, at) => at + 3));
    expect(await indexesOf({ start: ids[0] })).toEqual(Array.from({ length: 17 }, (_, at) => at));
    expect(await broker.since(key, ids[0])).toEqual({ complete: false, last: ids[19], messages: [] });
    expect((await broker.since(key, ids[2])).messages).toHaveLength(17);
  });

  it('a listener gets no messages of another project', async () => {
    const { broker, key } = await open();
    const recorder = recordListener();
    await broker.subscribe(key, recorder.listener);
    await broker.publish(`other:${key}`, textOf('there'));
    await broker.publish(key, textOf('here'));
    await expect.poll(() => recorder.bodies()).toEqual([textOf('here')]);
    expect(await broker.history(key, { limit: 10 })).toHaveLength(1);
  });

  it('the members of a channel are listed in the order in which they joined, and the listener is told of each change', async () => {
    const { broker, key } = await open();
    const recorder = recordListener();
    await broker.subscribe(key, recorder.listener);
    await broker.join(key, member('b', 2));
    await broker.join(key, member('a', 1));
    expect(await broker.present(key)).toEqual([member('a', 1), member('b', 2)]);
    await broker.join(key, { ...member('a', 1), metadata: {} });
    expect(await broker.present(key)).toEqual([{ ...member('a', 1), metadata: {} }, member('b', 2)]);
    await broker.leave(key, 'a');
    await broker.leave(key, 'nobody');
    expect(await broker.present(key)).toEqual([member('b', 2)]);
    // A connection that was made anew meanwhile tells of all members once more.
    await expect.poll(() => recorder.presence()).toBeGreaterThanOrEqual(4);
  });
});

describe('a broker on Redis', () => {
  it('a message whose reply was lost is stored once when it is published again', async () => {
    const broker = await open(redis.url);
    const attempt = { sender: 'a node', number: 1 };
    const id = await broker.publish('journal:once', textOf('one'), attempt);
    expect(await broker.publish('journal:once', textOf('one'), attempt)).toBe(id);
    await broker.publish('journal:once', textOf('one'), { sender: 'another node', number: 1 });
    await broker.publish('journal:once', textOf('two'), { sender: 'a node', number: 2 });
    const history = await broker.history('journal:once', { limit: 10 });
    expect(history.map(({ body }) => body)).toEqual(['one', 'one', 'two'].map(textOf));
  });

  const open = async (url: string) => {
    const broker = await createRedisBroker({ url, log });
    onTestFinished(() => broker.close());
    return broker;
  };

  it('a broker on Redis gets no messages of a service that uses another database of the server', async () => {
    const [one, two] = [await open(`${redis.url}/1`), await open(`${redis.url}/2`)];
    const [recorder, other] = [recordListener(), recordListener()];
    await one.subscribe('journal:a', recorder.listener);
    await two.subscribe('journal:a', other.listener);
    await one.publish('journal:a', textOf(1));
    await two.publish('journal:a', textOf(2));
    await expect.poll(() => [recorder.bodies(), other.bodies()]).toEqual([[textOf(1)], [textOf(2)]]);
  });

  it('a Redis that cannot be reached is logged once, without the password', async () => {
    const lines: string[] = [];
    const written = pino({}, { write: (line: string) => lines.push(line) });
    const url = 'redis://:secret@127.0.0.1:1';
    // Long enough for a refusal to come before the time is up, on a busy machine too.
    const broker = await createRedisBroker({ url, log: written, timeoutMs: 1_000 });
    onTestFinished(() => broker.close());
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ECONNREFUSED.*Redis is away/);
    expect(lines[0]).not.toContain('secret');
  });

  it('the position of an empty channel on Redis is before the current time, so that a clock may be set back', async () => {
    const broker = await open(redis.url);
    const position = async () => (await broker.since('journal:quiet', undefined)).last;
    await expect.poll(async () => Date.now() - Number((await position()).split('-')[0])).toBeGreaterThan(20);
  });
});

describe.each([
  ['sentinels name', 'hangs', () => sentinels, ({ pause }: RedisServer) => pause()],
  ['a cluster elects', 'is killed', () => cluster, ({ kill }: RedisServer) => kill()],
])('a broker on a Redis that %s', (_, end, group, stop) => {
  const open = async () => {
    const broker = await openOn(group());
    onTestFinished(() => broker.close());
    return broker;
  };

  it(`goes on when the server ${end} and another one takes its place, and has clients fetch anew`, async () => {
    const [one, other] = [await open(), await open()];
    const recorder = recordListener();
    await one.publish('journal:a', textOf('before'));
    await other.subscribe('journal:a', recorder.listener);
    await other.join('journal:a', member('there', 1));
    await stop(group().master);
    await expect(one.publish('journal:a', textOf('meanwhile'))).rejects.toMatchObject({
      code: 'REALTIME_UNAVAILABLE',
    });
    await expect.poll(() => recorder.lost.length, SLOW).toBeGreaterThan(0);
    await expect.poll(() => [one, other].every((broker) => broker.state().ready), SLOW).toBe(true);
    await one.publish('journal:a', textOf('after'));
    await expect.poll(() => recorder.bodies()).toEqual([textOf('after')]);
    expect(await one.present('journal:a')).toEqual([member('there', 1)]);
  }, 60_000);
});

describe('a broker in process', () => {
  it('a channel without messages is dropped when its last member leaves', async () => {
    let now = 1_000_000;
    const broker = createInProcessBroker({ now: () => now });
    await broker.join('a:b', member('a', 1));
    const { last } = await broker.since('a:b', undefined);
    await broker.leave('a:b', 'a');
    now += 5_000;
    expect(compareMessageIds((await broker.since('a:b', undefined)).last, last)).toBeGreaterThan(0);
  });

  it('message ids increase even if the clock is set back', async () => {
    let now = 1_000_000;
    const broker = createInProcessBroker({ now: () => now });
    const ids: string[] = [];
    for (now of [1_000_000, 1_000_000, 900_000, 900_001, 1_000_001])
      ids.push(await broker.publish('a:b', textOf(0)));
    expect(ids.slice(1)).toEqual(['1000000-2', '1000000-3', '1000000-4', '1000001-0']);
  });

  it('messages that are too old are deleted, and a client at their position is told that some are missing', async () => {
    let now = 1_000_000;
    const broker = createInProcessBroker({ now: () => now, maxAgeMs: 1_000 });
    const old = await broker.publish('a:b', textOf('old'));
    now += 900;
    const newer = await broker.publish('a:b', textOf('newer'));
    now += 500;
    expect(await broker.history('a:b', { limit: 10 })).toEqual([{ id: newer, body: textOf('newer') }]);
    expect((await broker.since('a:b', old)).complete).toBe(true);
    now += 1_000;
    expect((await broker.since('a:b', old)).complete).toBe(false);
  });

  it('when memory is full, the channels that were quiet for longest lose their messages first', async () => {
    const broker = createInProcessBroker({ maxBytes: 30_000 });
    const long = textOf('x'.repeat(10_000 - 250));
    const lengths = async () =>
      Promise.all(['quiet', 'b', 'c'].map(async (key) => (await broker.history(key, { limit: 9 })).length));
    const position = await broker.publish('quiet', long);
    await broker.publish('b', long);
    await broker.publish('c', long);
    expect(await lengths()).toEqual([1, 1, 1]);
    await broker.publish('quiet', long);
    expect(await lengths()).toEqual([2, 0, 1]);
    await broker.publish('c', long);
    expect(await lengths()).toEqual([0, 0, 2]);
    expect((await broker.since('quiet', position)).complete).toBe(false);
    for (let at = 0; at < 5; at += 1) await broker.publish('c', long);
    expect((await lengths()).at(2)).toBeGreaterThan(0);
  });
});
