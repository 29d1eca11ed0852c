import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  brokerUnavailable,
  createInProcessBroker,
} from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { openRealtimeFixture } from '@fabrica/client/testing/realtime-fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

/** Records the result of a promise without waiting for it. */
function follow(promise: Promise<unknown>): { result?: unknown } {
  const followed: { result?: unknown } = {};
  promise.then(
    (value) => Object.assign(followed, { result: value }),
    (error) => Object.assign(followed, { result: error }),
  );
  return followed;
}

const noReply = expect.objectContaining({ name: 'NetworkError', code: 'NETWORK_ERROR', status: null });

describe('a message', () => {
  it('publishing opens a socket, returns the id, and the message arrives with all its fields', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const [mine, other] = [connect(), connect()];
    const subscription = other.subscribe('public:a');
    await expect.poll(() => subscription.states.at(-1)).toBe('subscribed');
    const id = await mine.client.realtime.publish('public:a', 'note', { text: 'Hello' }, { colour: 'red' });
    await expect
      .poll(() => subscription.messages)
      .toMatchObject([
        { id, channel: 'public:a', type: 'note', data: { text: 'Hello' }, metadata: { colour: 'red' } },
      ]);
    mine.clock.advance(5_000);
    expect(mine.client.realtime.getState().status).toBe('disconnected');
    expect(mine.clock.pending).toBe(0);
  });

  it('forty-five messages keep their order, and each call returns its own id', async () => {
    const { connect, history } = await openRealtimeFixture({ accounts });
    const { client, clock, sent } = connect();
    const numbers = Array.from({ length: 45 }, (_, at) => at);
    const channel = (n: number) => `public:${n % 2 ? 'odd' : 'even'}`;
    const publishing = Promise.all(numbers.map((n) => client.realtime.publish(channel(n), 'count', n)));
    await expect.poll(() => sent).toHaveLength(30);
    clock.advance(375);
    const ids = await publishing;
    const idsOf = async (name: string) => (await client.realtime.messages(name)).map(({ id }) => id);
    expect(await history('public:odd')).toEqual(numbers.filter((n) => n % 2));
    expect(await idsOf('public:odd')).toEqual(ids.filter((_, n) => n % 2));
    expect(await idsOf('public:even')).toEqual(ids.filter((_, n) => n % 2 === 0));
  });

  it('messages that a broken socket has not sent are sent by the next one, and the others fail', async () => {
    const { connect, proxy, history } = await openRealtimeFixture({ accounts });
    const { client, clock, sent } = connect();
    await client.realtime.publish('public:a', 'count', 'first');
    clock.advance(1_000);
    sent.length = 0;
    proxy.freeze();
    const publishing = Promise.allSettled(
      Array.from({ length: 35 }, (_, n) => client.realtime.publish('public:a', 'count', n)),
    );
    await expect.poll(() => sent).toHaveLength(30);
    proxy.drop();
    await expect.poll(() => client.realtime.getState().status).toBe('disconnected');
    clock.advance(1_500);
    const outcomes = (await publishing).map(({ status }) => status);
    expect(outcomes.slice(0, 30)).toEqual(Array(30).fill('rejected'));
    expect(outcomes.slice(30)).toEqual(Array(5).fill('fulfilled'));
    expect(await history('public:a')).toEqual(['first', 30, 31, 32, 33, 34]);
    expect(sent).toHaveLength(35);
  });

  it('only the rejected messages among several fail', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client } = connect();
    const tries = await Promise.allSettled(
      ['public:a', 'post:1', 'team', 'public:a'].map((channel) =>
        client.realtime.publish(channel, 'note', 1),
      ),
    );
    expect(tries.map((one) => (one.status === 'fulfilled' ? 'kept' : one.reason.code))).toEqual([
      'kept',
      'FORBIDDEN',
      'UNAUTHENTICATED',
      'kept',
    ]);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each([
    ['larger than 64 KiB', 'public:a', 'note', 'é'.repeat(33_000), 'PAYLOAD_TOO_LARGE'],
    ['without a type', 'public:a', '', 1, 'VALIDATION_FAILED'],
    ['without a channel', '', 'note', 1, 'VALIDATION_FAILED'],
    ['that cannot be JSON', 'public:a', 'note', cyclic, 'VALIDATION_FAILED'],
  ])('a message %s is rejected before it is sent', async (_, channel, type, data, code) => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, sockets } = connect();
    await expect(client.realtime.publish(channel, type, data)).rejects.toMatchObject({
      name: 'ValidationError',
      code,
    });
    expect(sockets).toEqual([]);
  });

  it('a message without a socket fails after 10 s and is not sent later', async () => {
    const { connect, proxy, history } = await openRealtimeFixture({ accounts });
    proxy.isDown = true;
    const { client, clock } = connect();
    const publishing = follow(client.realtime.publish('public:a', 'note', 1));
    await expect.poll(() => clock.delays.at(-1)).toBe(1_500);
    clock.advance(9_999);
    expect(publishing.result).toBeUndefined();
    clock.advance(1);
    await expect.poll(() => publishing.result).toEqual(noReply);
    proxy.isDown = false;
    await client.realtime.publish('public:a', 'note', 2);
    expect(await history('public:a')).toEqual([2]);
  });

  it('a message waits for a socket and is sent when there is one', async () => {
    const { connect, proxy, history } = await openRealtimeFixture({ accounts });
    proxy.isDown = true;
    const { client, clock } = connect();
    const publishing = client.realtime.publish('public:a', 'note', 1);
    await expect.poll(() => clock.delays.at(-1)).toBe(1_500);
    proxy.isDown = false;
    clock.advance(1_500);
    await publishing;
    expect(await history('public:a')).toEqual([1]);
  });

  it('a message without a reply fails after 10 s and is not sent again', async () => {
    const broker = createInProcessBroker();
    const { connect, proxy, history } = await openRealtimeFixture({ accounts, broker });
    const { client, clock, subscribe, sockets, sent } = connect();
    const subscription = subscribe('public:a');
    await expect.poll(() => subscription.states.at(-1)).toBe('subscribed');
    proxy.freeze();
    const publishing = follow(client.realtime.publish('public:a', 'note', 1));
    await expect.poll(() => sent.at(-1)?.type).toBe('publish');
    clock.advance(10_000);
    await expect.poll(() => publishing.result).toEqual(noReply);
    expect(sockets).toHaveLength(2);
    await client.realtime.publish('public:a', 'note', 2);
    await expect.poll(() => subscription.received).toEqual([2]);
    expect(await history('public:a')).toEqual([2]);
    expect(sent.filter(({ type }) => type === 'publish')).toHaveLength(2);
  });

  it('a message that was sent before the socket broke fails at once and is not sent again', async () => {
    const gate = Promise.withResolvers<void>();
    const broker = createInProcessBroker();
    const slow = {
      ...broker,
      publish: async (...message: Parameters<typeof broker.publish>) => {
        const id = await broker.publish(...message);
        await gate.promise;
        return id;
      },
    };
    const { connect, proxy, history } = await openRealtimeFixture({ accounts, broker: slow });
    const { client, clock, sent } = connect();
    const publishing = follow(client.realtime.publish('public:a', 'note', 1));
    await expect.poll(() => history('public:a')).toEqual([1]);
    proxy.drop();
    await expect.poll(() => publishing.result).toEqual(noReply);
    gate.resolve();
    clock.advance(60_000);
    expect(sent.filter(({ type }) => type === 'publish')).toHaveLength(1);
  });
});

describe('a service that is unavailable', () => {
  it('a channel is requested again on the same socket after growing delays', async () => {
    let isAway = true;
    const broker = createInProcessBroker();
    const moody = {
      ...broker,
      subscribe: async (...channel: Parameters<typeof broker.subscribe>) => {
        if (isAway) throw brokerUnavailable();
        return broker.subscribe(...channel);
      },
    };
    const { connect } = await openRealtimeFixture({ accounts, broker: moody });
    const { clock, subscribe, sockets } = connect();
    const subscription = subscribe('public:a');
    const waits: (number | undefined)[] = [];
    for (let failures = 1; failures <= 3; failures += 1) {
      const wait = 2 ** (failures - 1) * 1_000 + 500;
      await expect.poll(() => clock.delays.at(-1)).toBe(wait);
      waits.push(wait);
      if (failures === 3) isAway = false;
      clock.advance(wait);
    }
    await expect.poll(() => subscription.states.at(-1)).toBe('subscribed');
    expect(subscription.states).toEqual(['disconnected', 'connecting', 'connected', 'subscribed']);
    expect(subscription.errors).toMatchObject([{ name: 'NetworkError', code: 'REALTIME_UNAVAILABLE' }]);
    expect(sockets).toHaveLength(1);
  });

  it('publishing fails with REALTIME_UNAVAILABLE while the service is unavailable', async () => {
    const broker = createInProcessBroker();
    const publish = () => Promise.reject(brokerUnavailable());
    const { connect } = await openRealtimeFixture({ accounts, broker: { ...broker, publish } });
    await expect(connect().client.realtime.publish('public:a', 'note', 1)).rejects.toMatchObject({
      name: 'NetworkError',
      code: 'REALTIME_UNAVAILABLE',
      message: 'Please try again later.',
    });
  });

  it('a rate limit fails the pending messages, and the client reconnects', async () => {
    const { connect } = await openRealtimeFixture({ accounts, limits: { messagesPerSecond: 5 } });
    const { client, clock, subscribe } = connect();
    const subscription = subscribe('public:a');
    await expect.poll(() => subscription.states.at(-1)).toBe('subscribed');
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => client.realtime.publish('public:b', 'note', n)),
    );
    const failures = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.name] : []));
    expect(failures.length).toBeGreaterThan(0);
    expect(new Set(failures)).toEqual(new Set(['NetworkError']));
    expect(subscription.errors).toMatchObject([{ code: 'RATE_LIMITED' }]);
    await expect.poll(() => client.realtime.getState().status).toBe('disconnected');
    clock.advance(clock.delays.at(-1) ?? 0);
    await expect.poll(() => subscription.states.at(-1)).toBe('subscribed');
  });
});
