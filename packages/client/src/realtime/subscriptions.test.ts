import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openRealtimeFixture } from '@fabrica/client/testing/realtime-fixture.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FabricaError, RealtimeState } from '../index.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());
afterEach(() => vi.unstubAllGlobals());

describe('a channel', () => {
  it('a channel goes from disconnected to subscribed, and the socket closes 5 s after the last listener', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, clock, subscribe, sockets } = connect();
    const states: RealtimeState[] = [];
    client.realtime.onState(() => states.push(client.realtime.getState()));
    const subscription = subscribe('public:a');
    await expect
      .poll(() => subscription.states)
      .toEqual(['disconnected', 'connecting', 'connected', 'subscribed']);
    expect(states.map(({ status, channels }) => [status, channels['public:a']])).toEqual([
      ['disconnected', 'disconnected'],
      ['connecting', 'connecting'],
      ['connected', 'connected'],
      ['connected', 'subscribed'],
    ]);
    expect(client.realtime.getState()).toBe(client.realtime.getState());
    expect(sockets).toEqual([expect.stringMatching(/^ws:.*\/api\/realtime\?project_id=journal$/)]);
    subscription.end();
    expect(client.realtime.getState()).toEqual({ status: 'connected', channels: {} });
    clock.advance(5_000);
    expect(client.realtime.getState()).toEqual({ status: 'disconnected', channels: {} });
    expect(clock.pending).toBe(0);
  });

  it('listeners of a channel share one subscription, which ends with the last of them', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, subscribe, sent } = connect();
    const [one, two] = [subscribe('public:a'), subscribe('public:a')];
    await expect.poll(() => two.states.at(-1)).toBe('subscribed');
    const late = subscribe('public:a');
    await expect.poll(() => late.states).toEqual(['subscribed']);
    await client.realtime.publish('public:a', 'note', 1);
    one.end();
    await client.realtime.publish('public:a', 'note', 2);
    await expect.poll(() => [one.received, two.received, late.received]).toEqual([[1], [1, 2], [1, 2]]);
    two.end();
    expect(sent.filter(({ type }) => type === 'subscribe')).toHaveLength(1);
    expect(sent.filter(({ type }) => type === 'unsubscribe')).toHaveLength(0);
    late.end();
    expect(sent.at(-1)).toEqual({ type: 'unsubscribe', payload: { channel: 'public:a' } });
  });

  it('a channel whose listener ends while the socket opens is not requested', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, clock, subscribe, sent } = connect();
    const subscription = subscribe('public:a');
    client.realtime.onState(() => subscription.end());
    await expect.poll(() => client.realtime.getState()).toEqual({ status: 'connected', channels: {} });
    clock.advance(5_000);
    expect(client.realtime.getState().status).toBe('disconnected');
    expect(sent).toEqual([]);
  });

  it('a channel that is left and joined again does not deliver earlier messages', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, subscribe } = connect();
    const first = subscribe('public:a');
    await expect.poll(() => first.states.at(-1)).toBe('subscribed');
    const publishing = client.realtime.publish('public:a', 'note', 1);
    await Promise.resolve();
    first.end();
    const second = subscribe('public:a');
    await publishing;
    await expect.poll(() => second.states.at(-1)).toBe('subscribed');
    await client.realtime.publish('public:a', 'note', 2);
    await expect.poll(() => second.received).toEqual([2]);
  });

  it('a listener that throws does not affect the others, and its error is reported', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, subscribe } = connect();
    const mistake = new Error('A mistake of the page.');
    client.realtime.subscribe('public:a', {
      message() {
        throw mistake;
      },
    });
    const other = subscribe('public:a');
    await expect.poll(() => other.states.at(-1)).toBe('subscribed');
    await client.realtime.publish('public:a', 'note', 1);
    await expect.poll(() => other.received).toEqual([1]);
    expect(reported.mock.calls).toEqual([[mistake]]);
  });

  it('a rejected channel reports its error once and does not affect other channels', async () => {
    const { connect, proxy } = await openRealtimeFixture({ accounts });
    const { client, clock, subscribe, sent } = connect();
    const [refused, other] = [subscribe('team'), subscribe('public:a')];
    await expect.poll(() => other.states.at(-1)).toBe('subscribed');
    expect(refused.errors).toMatchObject([{ name: 'AuthError', code: 'UNAUTHENTICATED' }]);
    expect(client.realtime.getState().channels).toEqual({ team: 'disconnected', 'public:a': 'subscribed' });
    proxy.drop();
    await expect.poll(() => other.states.at(-1)).toBe('disconnected');
    clock.advance(2_000);
    await expect.poll(() => other.states.at(-1)).toBe('subscribed');
    expect(refused.errors).toHaveLength(1);
    expect(sent.filter(({ type }) => type === 'subscribe')).toHaveLength(3);
    const again = subscribe('team');
    await expect.poll(() => again.errors).toHaveLength(1);
  });

  it.each([
    ['no name', '', 'VALIDATION_FAILED'],
    ['a name of two lines', 'public:\n', 'VALIDATION_FAILED'],
    ['a name that is too long', `public:${'a'.repeat(200)}`, 'VALIDATION_FAILED'],
  ])(
    'a channel with %s is rejected, and the error is reported to the listener or the page',
    async (_, channel, code) => {
      const reported = vi.fn();
      vi.stubGlobal('reportError', reported);
      const { connect } = await openRealtimeFixture({ accounts });
      const { client, subscribe, sockets } = connect();
      const { errors } = subscribe(channel);
      client.realtime.subscribe(channel, {});
      await expect.poll(() => reported.mock.calls).toMatchObject([[{ name: 'ValidationError', code }]]);
      expect(errors).toMatchObject([{ name: 'ValidationError', code }]);
      expect(sockets).toEqual([]);
    },
  );

  it('a client may be in a hundred channels, and requests them within the rate limit', async () => {
    // The server does not use the test's clock.
    const { connect } = await openRealtimeFixture({ accounts, limits: { messagesPerSecond: 1_000 } });
    const { client, clock, subscribe, sent } = connect();
    const all = Array.from({ length: 100 }, (_, n) => subscribe(`public:${n}`));
    const oneMore = subscribe('public:one more');
    await expect.poll(() => sent.length).toBe(30);
    expect(oneMore.errors).toMatchObject([{ name: 'ValidationError', code: 'QUOTA_EXCEEDED' }]);
    clock.advance(1_000);
    expect(sent).toHaveLength(70);
    all.pop()?.end();
    clock.advance(1_000);
    await expect.poll(() => all.every(({ states }) => states.at(-1) === 'subscribed')).toBe(true);
    expect(sent.filter(({ type }) => type === 'subscribe')).toHaveLength(99);
    expect(Object.keys(client.realtime.getState().channels)).toHaveLength(99);
  });
});

describe('presence', () => {
  const ids = (users: { userId: string }[] | undefined) => users?.map(({ userId }) => userId);

  it('presence lists the users with an id while they listen', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const [ada, ben] = [connect(), connect()];
    const watching = ben.subscribe('public:a');
    await expect.poll(() => watching.states.at(-1)).toBe('subscribed');
    const silent = ada.subscribe('public:a');
    const shown = ada.subscribe('public:a', { userId: 'ada', metadata: { colour: 'red' } });
    await expect.poll(() => ids(watching.users.at(-1))).toEqual(['ada']);
    expect(await ben.client.realtime.presence('public:a')).toMatchObject([
      { userId: 'ada', metadata: { colour: 'red' } },
    ]);
    const late = ben.subscribe('public:a');
    await expect.poll(() => ids(late.users.at(-1))).toEqual(['ada']);
    shown.end();
    await expect.poll(() => ids(watching.users.at(-1))).toEqual([]);
    await ben.client.realtime.publish('public:a', 'note', 1);
    await expect.poll(() => [silent.received, shown.received]).toEqual([[1], []]);
  });

  it('presence is updated after a reconnect', async () => {
    const { connect, proxy } = await openRealtimeFixture({ accounts });
    const [ada, ben] = [connect(), connect()];
    const watching = ben.subscribe('public:a');
    await expect.poll(() => watching.states.at(-1)).toBe('subscribed');
    const shown = ada.subscribe('public:a', { userId: 'ada' });
    await expect.poll(() => ids(watching.users.at(-1))).toEqual(['ada']);
    proxy.drop();
    await expect.poll(() => watching.states.at(-1)).toBe('disconnected');
    shown.end();
    ben.clock.advance(1_500);
    await expect.poll(() => ids(watching.users.at(-1))).toEqual([]);
  });

  it('presence metadata that is too large is rejected', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { subscribe } = connect();
    const { errors } = subscribe('public:a', { metadata: { text: 'é'.repeat(2_100) } });
    await expect.poll(() => errors).toMatchObject([{ code: 'PAYLOAD_TOO_LARGE' }]);
  });
});

describe('messages', () => {
  it('messages can be read by limit, start and end', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { realtime } = connect().client;
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await realtime.publish('public:a', 'note', n));
    const read = async (options?: Parameters<typeof realtime.messages>[1]) =>
      (await realtime.messages('public:a', options)).map(({ data }) => data);
    expect(await read()).toEqual([1, 2, 3]);
    expect(await read({ limit: 2 })).toEqual([2, 3]);
    expect(await read({ start: ids[1] })).toEqual([2, 3]);
    expect(await read({ end: ids[1] })).toEqual([1, 2]);
  });

  it('messages and presence of a channel cannot be read without permission', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { realtime } = connect().client;
    const refused = expect.objectContaining({ name: 'AuthError', code: 'UNAUTHENTICATED' }) as FabricaError;
    await expect(realtime.messages('team')).rejects.toEqual(refused);
    await expect(realtime.presence('team')).rejects.toEqual(refused);
  });
});
