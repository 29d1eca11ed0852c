import { type RedisServer, startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Broker, ChannelListener, Member, StoredMessage } from './broker.ts';
import { createInProcessBroker } from './in-process-broker.ts';
import { compareMessageIds } from './message-id.ts';
import { createRedisBroker } from './redis-broker.ts';

const log = pino({ level: 'silent' });
const HOUR = 60 * 60 * 1_000;

/** All that a listener was told, oldest first. */
function openEar() {
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

const said = (text: string | number) => JSON.stringify({ type: 'note', data: text });
const member = (socketId: string, joinedAt: number): Member => ({
  socketId,
  userId: `user of ${socketId}`,
  metadata: { colour: 'red' },
  joinedAt,
  lastSeen: joinedAt,
});

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.close());

const brokers: [string, (options?: { kept?: number; keptMs?: number }) => Promise<Broker>][] = [
  ['in process', async (options) => createInProcessBroker(options)],
  ['on Redis', (options) => createRedisBroker({ url: redis.url, log, ...options })],
];

describe.each(brokers)('a broker %s', (kind, create) => {
  let count = 0;
  const open = async (options?: { kept?: number; keptMs?: number }) => {
    const broker = await create(options);
    onTestFinished(() => broker.close());
    count += 1;
    return { broker, place: `journal:channel ${count} of ${kind}` };
  };

  it('gives ids that grow, and keeps what was said under them', async () => {
    const { broker, place } = await open();
    const ids = await Promise.all(Array.from({ length: 50 }, (_, at) => broker.publish(place, said(at))));
    expect(ids).toEqual([...ids].sort(compareMessageIds));
    expect(new Set(ids).size).toBe(50);
    const history = await broker.history(place, { limit: 1_000 });
    expect(history).toEqual(ids.map((id, at) => ({ id, body: said(at) })));
  });

  it('answers the newest, or the first from a place on, always oldest first', async () => {
    const { broker, place } = await open();
    const ids: string[] = [];
    for (let at = 0; at < 6; at += 1) ids.push(await broker.publish(place, said(at)));
    const asked = async (range: object) =>
      (await broker.history(place, { limit: 2, ...range })).map(({ id }) => ids.indexOf(id));
    expect(await asked({})).toEqual([4, 5]);
    expect(await asked({ end: ids[2] })).toEqual([1, 2]);
    expect(await asked({ start: ids[1] })).toEqual([1, 2]);
    expect(await asked({ start: ids[1], end: ids[1] })).toEqual([1]);
    expect(await broker.history(`${place} and nothing in it`, { limit: 2 })).toEqual([]);
  });

  it('keeps so many messages of a channel', async () => {
    const { broker, place } = await open({ kept: 3 });
    for (let at = 0; at < 5; at += 1) await broker.publish(place, said(at));
    const kept = await broker.history(place, { limit: 1_000 });
    expect(kept.map(({ body }) => body)).toEqual([2, 3, 4].map(said));
  });

  it('tells a listener all that is said from where it stands, in order and once', async () => {
    const { broker, place } = await open();
    const before = await broker.publish(place, said('before'));
    const ear = openEar();
    expect(await broker.subscribe(place, ear.listener)).toBe(before);
    for (let at = 0; at < 20; at += 1) await broker.publish(place, said(at));
    await expect.poll(() => ear.messages.length).toBe(20);
    expect(ear.bodies()).toEqual(Array.from({ length: 20 }, (_, at) => said(at)));
    broker.unsubscribe(place);
    await broker.publish(place, said('later'));
    await broker.since(place, before);
    expect(ear.messages).toHaveLength(20);
  });

  it('is listened to again right after it was left', async () => {
    const { broker, place } = await open();
    const ears = Array.from({ length: 5 }, openEar);
    const began: unknown[] = [];
    for (const [at, ear] of ears.entries()) {
      if (at > 0) broker.unsubscribe(place);
      began.push(broker.subscribe(place, ear.listener));
    }
    await Promise.all(began);
    await broker.publish(place, said('again'));
    await expect.poll(() => ears.at(-1)?.bodies()).toEqual([said('again')]);
    expect(ears.slice(0, -1).flatMap((ear) => ear.bodies())).toEqual([]);
  });

  it('knows what came after an id, or that it no longer does', async () => {
    const { broker, place } = await open({ kept: 3 });
    const { last: start } = await broker.since(place, undefined);
    const first = await broker.publish(place, said('first'));
    expect(compareMessageIds(first, start)).toBeGreaterThan(0);
    const sinceStart = await broker.since(place, start);
    expect(sinceStart).toEqual({
      complete: true,
      last: first,
      messages: [{ id: first, body: said('first') }],
    });
    expect(await broker.since(place, first)).toEqual({ complete: true, last: first, messages: [] });
    for (let at = 0; at < 3; at += 1) await broker.publish(place, said(at));
    const { last } = await broker.since(place, undefined);
    expect(await broker.since(place, start)).toEqual({ complete: false, last, messages: [] });
    expect((await broker.since(place, `${Date.now() + HOUR}-0`)).complete).toBe(false);
    expect((await broker.since(place, '1-0')).complete).toBe(false);
  });

  it('knows nothing of what was said before it began', async () => {
    const { broker, place } = await open();
    expect((await broker.since(place, `${Date.now() - HOUR}-0`)).complete).toBe(false);
  });

  it('answers 1 MiB at a time: where more was missed, it is as if it were no longer known', async () => {
    const { broker, place } = await open();
    const long = said('x'.repeat(60_000));
    const ids: string[] = [];
    for (let at = 0; at < 20; at += 1) ids.push(await broker.publish(place, long));
    const answered = async (range: object) =>
      (await broker.history(place, { limit: 1_000, ...range })).map(({ id }) => ids.indexOf(id));
    expect(await answered({})).toEqual(Array.from({ length: 17 }, (_, at) => at + 3));
    expect(await answered({ start: ids[0] })).toEqual(Array.from({ length: 17 }, (_, at) => at));
    expect(await broker.since(place, ids[0])).toEqual({ complete: false, last: ids[19], messages: [] });
    expect((await broker.since(place, ids[2])).messages).toHaveLength(17);
  });

  it('keeps projects and channels apart', async () => {
    const { broker, place } = await open();
    const ear = openEar();
    await broker.subscribe(place, ear.listener);
    await broker.publish(`other:${place}`, said('there'));
    await broker.publish(place, said('here'));
    await expect.poll(() => ear.bodies()).toEqual([said('here')]);
    expect(await broker.history(place, { limit: 10 })).toHaveLength(1);
  });

  it('knows who is in a channel, in the order in which they came, and tells of each change', async () => {
    const { broker, place } = await open();
    const ear = openEar();
    await broker.subscribe(place, ear.listener);
    await broker.join(place, member('b', 2));
    await broker.join(place, member('a', 1));
    expect(await broker.present(place)).toEqual([member('a', 1), member('b', 2)]);
    await broker.join(place, { ...member('a', 1), metadata: {} });
    expect(await broker.present(place)).toEqual([{ ...member('a', 1), metadata: {} }, member('b', 2)]);
    await broker.leave(place, 'a');
    await broker.leave(place, 'nobody');
    expect(await broker.present(place)).toEqual([member('b', 2)]);
    await expect.poll(() => ear.presence()).toBe(4);
  });
});

describe('a broker on Redis', () => {
  const open = async (address: string) => {
    const broker = await createRedisBroker({ url: address, log });
    onTestFinished(() => broker.close());
    return broker;
  };

  it('hears nothing of a service that uses another database of the server', async () => {
    const [one, two] = [await open(`${redis.url}/1`), await open(`${redis.url}/2`)];
    const [ear, other] = [openEar(), openEar()];
    await one.subscribe('journal:a', ear.listener);
    await two.subscribe('journal:a', other.listener);
    await one.publish('journal:a', said(1));
    await two.publish('journal:a', said(2));
    await expect.poll(() => [ear.bodies(), other.bodies()]).toEqual([[said(1)], [said(2)]]);
  });

  it('that was never there is told of in the log, without the password', async () => {
    const lines: string[] = [];
    const written = pino({}, { write: (line: string) => lines.push(line) });
    const url = 'redis://:secret@127.0.0.1:1';
    const broker = await createRedisBroker({ url, log: written, timeoutMs: 50 });
    onTestFinished(() => broker.close());
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ECONNREFUSED.*Redis is away/);
    expect(lines[0]).not.toContain('secret');
  });

  it('has whoever comes to a quiet channel stand before all that a clock that is set back may give', async () => {
    const broker = await open(redis.url);
    const stands = async () => (await broker.since('journal:quiet', undefined)).last;
    await expect.poll(async () => Date.now() - Number((await stands()).split('-')[0])).toBeGreaterThan(20);
  });
});

describe('a broker in process', () => {
  it('forgets a channel with the last who was shown in it', async () => {
    let now = 1_000_000;
    const broker = createInProcessBroker({ now: () => now });
    await broker.join('a:b', member('a', 1));
    const { last } = await broker.since('a:b', undefined);
    await broker.leave('a:b', 'a');
    now += 5_000;
    expect(compareMessageIds((await broker.since('a:b', undefined)).last, last)).toBeGreaterThan(0);
  });

  it('gives greater ids also when the clock has gone back', async () => {
    let now = 1_000_000;
    const broker = createInProcessBroker({ now: () => now });
    const ids: string[] = [];
    for (now of [1_000_000, 1_000_000, 900_000, 900_001, 1_000_001])
      ids.push(await broker.publish('a:b', said(0)));
    expect(ids.slice(1)).toEqual(['1000000-2', '1000000-3', '1000000-4', '1000001-0']);
  });

  it('forgets what is too old, and a client that stands there is told', async () => {
    let now = 1_000_000;
    const broker = createInProcessBroker({ now: () => now, keptMs: 1_000 });
    const old = await broker.publish('a:b', said('old'));
    now += 900;
    const newer = await broker.publish('a:b', said('newer'));
    now += 500;
    expect(await broker.history('a:b', { limit: 10 })).toEqual([{ id: newer, body: said('newer') }]);
    expect((await broker.since('a:b', old)).complete).toBe(true);
    now += 1_000;
    expect((await broker.since('a:b', old)).complete).toBe(false);
  });

  it('keeps so many bytes, and forgets the channels first that were quiet for longest', async () => {
    const broker = createInProcessBroker({ maxBytes: 30_000 });
    const long = said('x'.repeat(10_000 - 250));
    const lengths = async () =>
      Promise.all(
        ['quiet', 'b', 'c'].map(async (place) => (await broker.history(place, { limit: 9 })).length),
      );
    const stood = await broker.publish('quiet', long);
    await broker.publish('b', long);
    await broker.publish('c', long);
    expect(await lengths()).toEqual([1, 1, 1]);
    await broker.publish('quiet', long);
    expect(await lengths()).toEqual([2, 0, 1]);
    await broker.publish('c', long);
    expect(await lengths()).toEqual([0, 0, 2]);
    expect((await broker.since('quiet', stood)).complete).toBe(false);
    for (let at = 0; at < 5; at += 1) await broker.publish('c', long);
    expect((await lengths()).at(2)).toBeGreaterThan(0);
  });
});
