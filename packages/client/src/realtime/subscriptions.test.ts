import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import type { FabricaError, RealtimeState } from '@fabrica/client';
import { openRealtimeFixture } from '@fabrica/client/testing/realtime-fixture.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());
afterEach(() => vi.unstubAllGlobals());

describe('a channel', () => {
  it('goes from disconnected to subscribed, and the socket with it until a little after the last listener', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, clock, listen, sockets } = connect();
    const states: RealtimeState[] = [];
    client.realtime.onState(() => states.push(client.realtime.getState()));
    const listening = listen('public:a');
    await expect
      .poll(() => listening.states)
      .toEqual(['disconnected', 'connecting', 'connected', 'subscribed']);
    expect(states.map(({ status, channels }) => [status, channels['public:a']])).toEqual([
      ['disconnected', 'disconnected'],
      ['connecting', 'connecting'],
      ['connected', 'connected'],
      ['connected', 'subscribed'],
    ]);
    expect(client.realtime.getState()).toBe(client.realtime.getState());
    expect(sockets).toEqual([expect.stringMatching(/^ws:.*\/api\/realtime\?project_id=journal$/)]);
    listening.end();
    expect(client.realtime.getState()).toEqual({ status: 'connected', channels: {} });
    clock.advance(5_000);
    expect(client.realtime.getState()).toEqual({ status: 'disconnected', channels: {} });
    expect(clock.pending).toBe(0);
  });

  it('is subscribed once for all who listen, and left with the last of them', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, listen, sent } = connect();
    const [one, two] = [listen('public:a'), listen('public:a')];
    await expect.poll(() => two.states.at(-1)).toBe('subscribed');
    const late = listen('public:a');
    await expect.poll(() => late.states).toEqual(['subscribed']);
    await client.realtime.publish('public:a', 'note', 1);
    one.end();
    await client.realtime.publish('public:a', 'note', 2);
    await expect.poll(() => [one.heard, two.heard, late.heard]).toEqual([[1], [1, 2], [1, 2]]);
    two.end();
    expect(sent.filter(({ type }) => type === 'subscribe')).toHaveLength(1);
    expect(sent.filter(({ type }) => type === 'unsubscribe')).toHaveLength(0);
    late.end();
    expect(sent.at(-1)).toEqual({ type: 'unsubscribe', payload: { channel: 'public:a' } });
  });

  it('that nobody wants any more while the socket opens is not asked for', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, clock, listen, sent } = connect();
    const listening = listen('public:a');
    client.realtime.onState(() => listening.end());
    await expect.poll(() => client.realtime.getState()).toEqual({ status: 'connected', channels: {} });
    clock.advance(5_000);
    expect(client.realtime.getState().status).toBe('disconnected');
    expect(sent).toEqual([]);
  });

  it('left and joined at once says nothing of the time before', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, listen } = connect();
    const first = listen('public:a');
    await expect.poll(() => first.states.at(-1)).toBe('subscribed');
    const saying = client.realtime.publish('public:a', 'note', 1);
    await Promise.resolve();
    first.end();
    const second = listen('public:a');
    await saying;
    await expect.poll(() => second.states.at(-1)).toBe('subscribed');
    await client.realtime.publish('public:a', 'note', 2);
    await expect.poll(() => second.heard).toEqual([2]);
  });

  it('is heard by the others when one listener throws', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, listen } = connect();
    const mistake = new Error('A mistake of the page.');
    client.realtime.subscribe('public:a', {
      message() {
        throw mistake;
      },
    });
    const other = listen('public:a');
    await expect.poll(() => other.states.at(-1)).toBe('subscribed');
    await client.realtime.publish('public:a', 'note', 1);
    await expect.poll(() => other.heard).toEqual([1]);
    expect(reported.mock.calls).toEqual([[mistake]]);
  });

  it('that is refused is told so, is not asked for again and troubles no other', async () => {
    const { connect, proxy } = await openRealtimeFixture({ accounts });
    const { client, clock, listen, sent } = connect();
    const [refused, other] = [listen('team'), listen('public:a')];
    await expect.poll(() => other.states.at(-1)).toBe('subscribed');
    expect(refused.errors).toMatchObject([{ name: 'AuthError', code: 'UNAUTHENTICATED' }]);
    expect(client.realtime.getState().channels).toEqual({ team: 'disconnected', 'public:a': 'subscribed' });
    proxy.drop();
    await expect.poll(() => other.states.at(-1)).toBe('disconnected');
    clock.advance(2_000);
    await expect.poll(() => other.states.at(-1)).toBe('subscribed');
    expect(refused.errors).toHaveLength(1);
    expect(sent.filter(({ type }) => type === 'subscribe')).toHaveLength(3);
    const again = listen('team');
    await expect.poll(() => again.errors).toHaveLength(1);
  });

  it.each([
    ['no name', '', 'VALIDATION_FAILED'],
    ['a name of two lines', 'public:\n', 'VALIDATION_FAILED'],
    ['a name that is too long', `public:${'a'.repeat(200)}`, 'VALIDATION_FAILED'],
  ])('of %s is no channel, and the page is told when the listener cannot be', async (_, channel, code) => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const { connect } = await openRealtimeFixture({ accounts });
    const { client, listen, sockets } = connect();
    const { errors } = listen(channel);
    client.realtime.subscribe(channel, {});
    await expect.poll(() => reported.mock.calls).toMatchObject([[{ name: 'ValidationError', code }]]);
    expect(errors).toMatchObject([{ name: 'ValidationError', code }]);
    expect(sockets).toEqual([]);
  });

  it('is one of a hundred; they are asked for no faster than a socket may speak', async () => {
    // Hers is another time than the test's.
    const { connect } = await openRealtimeFixture({ accounts, limits: { messagesPerSecond: 1_000 } });
    const { client, clock, listen, sent } = connect();
    const all = Array.from({ length: 100 }, (_, n) => listen(`public:${n}`));
    const oneMore = listen('public:one more');
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

  it('shows who says who they are, for as long as they listen', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const [ada, ben] = [connect(), connect()];
    const watching = ben.listen('public:a');
    await expect.poll(() => watching.states.at(-1)).toBe('subscribed');
    const silent = ada.listen('public:a');
    const shown = ada.listen('public:a', { userId: 'ada', metadata: { colour: 'red' } });
    await expect.poll(() => ids(watching.users.at(-1))).toEqual(['ada']);
    expect(await ben.client.realtime.presence('public:a')).toMatchObject([
      { userId: 'ada', metadata: { colour: 'red' } },
    ]);
    const late = ben.listen('public:a');
    await expect.poll(() => ids(late.users.at(-1))).toEqual(['ada']);
    shown.end();
    await expect.poll(() => ids(watching.users.at(-1))).toEqual([]);
    await ben.client.realtime.publish('public:a', 'note', 1);
    await expect.poll(() => [silent.heard, shown.heard]).toEqual([[1], []]);
  });

  it('is not what it was before a client was away', async () => {
    const { connect, proxy } = await openRealtimeFixture({ accounts });
    const [ada, ben] = [connect(), connect()];
    const watching = ben.listen('public:a');
    await expect.poll(() => watching.states.at(-1)).toBe('subscribed');
    const shown = ada.listen('public:a', { userId: 'ada' });
    await expect.poll(() => ids(watching.users.at(-1))).toEqual(['ada']);
    proxy.drop();
    await expect.poll(() => watching.states.at(-1)).toBe('disconnected');
    shown.end();
    ben.clock.advance(1_500);
    await expect.poll(() => ids(watching.users.at(-1))).toEqual([]);
  });

  it('is not told more than the server takes', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { listen } = connect();
    const { errors } = listen('public:a', { metadata: { text: 'é'.repeat(2_100) } });
    await expect.poll(() => errors).toMatchObject([{ code: 'PAYLOAD_TOO_LARGE' }]);
  });
});

describe('what was said', () => {
  it('can be read', async () => {
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

  it('is not for everybody', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const { realtime } = connect().client;
    const refused = expect.objectContaining({ name: 'AuthError', code: 'UNAUTHENTICATED' }) as FabricaError;
    await expect(realtime.messages('team')).rejects.toEqual(refused);
    await expect(realtime.presence('team')).rejects.toEqual(refused);
  });
});
