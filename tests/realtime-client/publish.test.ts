import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../packages/backend/src/core/errors.ts';
import { createInProcessBroker } from '../../packages/backend/src/services/realtime/broker/in-process-broker.ts';
import { openStage } from './build-client.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

/** What became of it, without waiting for it. */
function follow(promise: Promise<unknown>): { result?: unknown } {
  const followed: { result?: unknown } = {};
  promise.then(
    (value) => Object.assign(followed, { result: value }),
    (error) => Object.assign(followed, { result: error }),
  );
  return followed;
}

const unanswered = expect.objectContaining({ name: 'NetworkError', code: 'NETWORK_ERROR', status: null });

describe('a message', () => {
  it('opens a socket, is answered with its id, and comes with all that was said of it', async () => {
    const { connect } = await openStage({ accounts });
    const [mine, other] = [connect(), connect()];
    const listening = other.listen('public:a');
    await expect.poll(() => listening.states.at(-1)).toBe('subscribed');
    const id = await mine.client.realtime.publish('public:a', 'note', { text: 'Hello' }, { colour: 'red' });
    await expect
      .poll(() => listening.messages)
      .toMatchObject([
        { id, channel: 'public:a', type: 'note', data: { text: 'Hello' }, metadata: { colour: 'red' } },
      ]);
    mine.clock.advance(5_000);
    expect(mine.client.realtime.getState().status).toBe('disconnected');
    expect(mine.clock.pending).toBe(0);
  });

  it('keeps its place among many, and each has its own answer', async () => {
    const { connect, history } = await openStage({ accounts });
    const { client, clock, sent } = connect();
    const numbers = Array.from({ length: 45 }, (_, at) => at);
    const channel = (n: number) => `public:${n % 2 ? 'odd' : 'even'}`;
    const publishing = Promise.all(numbers.map((n) => client.realtime.publish(channel(n), 'count', n)));
    await expect.poll(() => sent).toHaveLength(30);
    clock.advance(375);
    const ids = await publishing;
    const said = async (name: string) => (await client.realtime.messages(name)).map(({ id }) => id);
    expect(await history('public:odd')).toEqual(numbers.filter((n) => n % 2));
    expect(await said('public:odd')).toEqual(ids.filter((_, n) => n % 2));
    expect(await said('public:even')).toEqual(ids.filter((_, n) => n % 2 === 0));
  });

  it('that was not sent yet when the line breaks is sent on the next one; those before it fail', async () => {
    const { connect, proxy, history } = await openStage({ accounts });
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

  it('that is refused among others is the one that fails', async () => {
    const { connect } = await openStage({ accounts });
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
    ['of more than 64 KiB', 'public:a', 'note', 'é'.repeat(33_000), 'PAYLOAD_TOO_LARGE'],
    ['without a type', 'public:a', '', 1, 'VALIDATION_FAILED'],
    ['without a channel', '', 'note', 1, 'VALIDATION_FAILED'],
    ['that JSON cannot say', 'public:a', 'note', cyclic, 'VALIDATION_FAILED'],
  ])('%s is refused before it is sent', async (_, channel, type, data, code) => {
    const { connect } = await openStage({ accounts });
    const { client, sockets } = connect();
    await expect(client.realtime.publish(channel, type, data)).rejects.toMatchObject({
      name: 'ValidationError',
      code,
    });
    expect(sockets).toEqual([]);
  });

  it('for which there is no socket in 10 s fails, and is not said later', async () => {
    const { connect, proxy, history } = await openStage({ accounts });
    proxy.isDown = true;
    const { client, clock } = connect();
    const publishing = follow(client.realtime.publish('public:a', 'note', 1));
    await expect.poll(() => clock.asked.at(-1)).toBe(1_500);
    clock.advance(9_999);
    expect(publishing.result).toBeUndefined();
    clock.advance(1);
    await expect.poll(() => publishing.result).toEqual(unanswered);
    proxy.isDown = false;
    await client.realtime.publish('public:a', 'note', 2);
    expect(await history('public:a')).toEqual([2]);
  });

  it('that waits for a socket is said as soon as there is one', async () => {
    const { connect, proxy, history } = await openStage({ accounts });
    proxy.isDown = true;
    const { client, clock } = connect();
    const publishing = client.realtime.publish('public:a', 'note', 1);
    await expect.poll(() => clock.asked.at(-1)).toBe(1_500);
    proxy.isDown = false;
    clock.advance(1_500);
    await publishing;
    expect(await history('public:a')).toEqual([1]);
  });

  it('whose answer does not come in 10 s fails, and is not said again', async () => {
    const broker = createInProcessBroker();
    const { connect, proxy, history } = await openStage({ accounts, broker });
    const { client, clock, listen, sockets, sent } = connect();
    const listening = listen('public:a');
    await expect.poll(() => listening.states.at(-1)).toBe('subscribed');
    proxy.freeze();
    const publishing = follow(client.realtime.publish('public:a', 'note', 1));
    await expect.poll(() => sent.at(-1)?.type).toBe('publish');
    clock.advance(10_000);
    await expect.poll(() => publishing.result).toEqual(unanswered);
    expect(sockets).toHaveLength(2);
    await client.realtime.publish('public:a', 'note', 2);
    await expect.poll(() => listening.heard).toEqual([2]);
    expect(await history('public:a')).toEqual([2]);
    expect(sent.filter(({ type }) => type === 'publish')).toHaveLength(2);
  });

  it('under way when the line breaks fails at once, for it may have arrived', async () => {
    const gate = Promise.withResolvers<void>();
    const broker = createInProcessBroker();
    const slow = {
      ...broker,
      publish: async (...said: Parameters<typeof broker.publish>) => {
        const id = await broker.publish(...said);
        await gate.promise;
        return id;
      },
    };
    const { connect, proxy, history } = await openStage({ accounts, broker: slow });
    const { client, clock, sent } = connect();
    const publishing = follow(client.realtime.publish('public:a', 'note', 1));
    await expect.poll(() => history('public:a')).toEqual([1]);
    proxy.drop();
    await expect.poll(() => publishing.result).toEqual(unanswered);
    gate.resolve();
    clock.advance(60_000);
    expect(sent.filter(({ type }) => type === 'publish')).toHaveLength(1);
  });
});

describe('a service that is away for a while', () => {
  it('is asked again for a channel, ever more seldom, on the same socket', async () => {
    let isAway = true;
    const broker = createInProcessBroker();
    const moody = {
      ...broker,
      subscribe: async (...asked: Parameters<typeof broker.subscribe>) => {
        if (isAway) throw new AppError('REALTIME_UNAVAILABLE', 'Please try again later.');
        return broker.subscribe(...asked);
      },
    };
    const { connect } = await openStage({ accounts, broker: moody });
    const { clock, listen, sockets } = connect();
    const listening = listen('public:a');
    const waits: (number | undefined)[] = [];
    for (let failures = 1; failures <= 3; failures += 1) {
      const wait = 2 ** (failures - 1) * 1_000 + 500;
      await expect.poll(() => clock.asked.at(-1)).toBe(wait);
      waits.push(wait);
      if (failures === 3) isAway = false;
      clock.advance(wait);
    }
    await expect.poll(() => listening.states.at(-1)).toBe('subscribed');
    expect(listening.states).toEqual(['disconnected', 'connecting', 'connected', 'subscribed']);
    expect(listening.errors).toMatchObject([{ name: 'NetworkError', code: 'REALTIME_UNAVAILABLE' }]);
    expect(sockets).toHaveLength(1);
  });

  it('says so to whoever publishes', async () => {
    const broker = createInProcessBroker();
    const publish = () => Promise.reject(new AppError('REALTIME_UNAVAILABLE', 'Please try again later.'));
    const { connect } = await openStage({ accounts, broker: { ...broker, publish } });
    await expect(connect().client.realtime.publish('public:a', 'note', 1)).rejects.toMatchObject({
      name: 'NetworkError',
      code: 'REALTIME_UNAVAILABLE',
      message: 'Please try again later.',
    });
  });

  it('that takes fewer messages than we send fails all that were under way, and is come back to', async () => {
    const { connect } = await openStage({ accounts, limits: { messagesPerSecond: 5 } });
    const { client, clock, listen } = connect();
    const listening = listen('public:a');
    await expect.poll(() => listening.states.at(-1)).toBe('subscribed');
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => client.realtime.publish('public:b', 'note', n)),
    );
    const failures = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.name] : []));
    expect(failures.length).toBeGreaterThan(0);
    expect(new Set(failures)).toEqual(new Set(['NetworkError']));
    expect(listening.errors).toMatchObject([{ code: 'RATE_LIMITED' }]);
    await expect.poll(() => client.realtime.getState().status).toBe('disconnected');
    clock.advance(clock.asked.at(-1) ?? 0);
    await expect.poll(() => listening.states.at(-1)).toBe('subscribed');
  });
});
