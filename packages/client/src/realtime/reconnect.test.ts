import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  createInProcessBroker,
  openTestRealtime,
} from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { openRealtimeFixture, openTab, portOf } from '@fabrica/client/testing/realtime-fixture.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

/** Opens the service with a subscriber of `public:a`, and a `send` that publishes without a socket. */
async function openListener(options: Partial<Parameters<typeof openRealtimeFixture>[0]> = {}) {
  const broker = createInProcessBroker();
  const fixture = await openRealtimeFixture({ accounts, broker, ...options });
  const window = openTab();
  const own = fixture.connect({ window });
  const subscription = own.subscribe('public:a');
  const untilSubscribed = () =>
    expect.poll(() => subscription.states.at(-1), { interval: 2 }).toBe('subscribed');
  const untilDisconnected = () =>
    expect.poll(() => own.client.realtime.getState().status, { interval: 2 }).toBe('disconnected');
  await untilSubscribed();
  const send = (n: number) => broker.publish('journal:public:a', JSON.stringify({ type: 'note', data: n }));
  /** Advances the clock by the delay before the next attempt. */
  const reconnect = () => own.clock.advance(own.clock.delays.at(-1) ?? 0);
  const waits = { untilSubscribed, untilDisconnected, reconnect };
  return { ...fixture, ...own, ...subscription, ...waits, subscription, window, send, broker };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('messages that are sent while a client is disconnected', () => {
  it('missed messages arrive in order and once, before new ones', async () => {
    const { proxy, send, received, untilSubscribed, untilDisconnected, reconnect, states } =
      await openListener();
    for (const n of numbers(20)) await send(n);
    await expect.poll(() => received).toHaveLength(20);
    for (let fall = 1; fall <= 3; fall += 1) {
      proxy.drop();
      await untilDisconnected();
      for (let n = 1; n <= 10; n += 1) await send(fall * 20 + n);
      reconnect();
      for (let n = 11; n <= 20; n += 1) await send(fall * 20 + n);
      await untilSubscribed();
      await expect.poll(() => received).toHaveLength((fall + 1) * 20);
    }
    expect(received).toEqual(numbers(80));
    expect(states.slice(0, 8)).toEqual([
      'disconnected',
      'connecting',
      'connected',
      'subscribed',
      'disconnected',
      'connecting',
      'connected',
      'subscribed',
    ]);
  });

  it('a missed message arrives even if it is the first of its channel', async () => {
    const { proxy, send, received, untilDisconnected, reconnect } = await openListener();
    proxy.drop();
    await untilDisconnected();
    await send(1);
    reconnect();
    await expect.poll(() => received).toEqual([1]);
  });

  it('more missed messages than are stored cause one resync, and new ones follow', async () => {
    const { proxy, send, subscription, untilSubscribed, untilDisconnected, reconnect } = await openListener();
    await send(0);
    await expect.poll(() => subscription.received).toEqual([0]);
    proxy.drop();
    await untilDisconnected();
    for (let n = 1; n <= 1_001; n += 1) await send(n);
    reconnect();
    await untilSubscribed();
    await send(1_002);
    await expect.poll(() => subscription.received).toEqual([0, 1_002]);
    expect(subscription.resyncs).toBe(1);
    proxy.drop();
    await untilDisconnected();
    await send(1_003);
    reconnect();
    await expect.poll(() => subscription.received).toEqual([0, 1_002, 1_003]);
    expect(subscription.resyncs).toBe(1);
  });
});

describe('messages that are sent while presence options change', () => {
  it('messages arrive once while presence options change', async () => {
    const { subscribe, send, received, subscription, untilSubscribed } = await openListener();
    const shown: { end(): void }[] = [];
    for (const n of numbers(10)) {
      await send(n);
      shown.push(subscribe('public:a', { metadata: { n } }));
      // The message and the request are sent by now.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => received.at(-1)).toBe(10);
    for (const one of shown) one.end();
    await expect.poll(() => subscription.users.at(-1)).toEqual([]);
    await untilSubscribed();
    expect(received).toEqual(numbers(10));
  });
});

describe('a server that stops', () => {
  it('a client reconnects to a restarted server within a second and misses nothing', async () => {
    const first = await openListener();
    const { proxy, clock, send, received, untilDisconnected, untilSubscribed, broker } = first;
    const next = await openTestRealtime({ accounts, broker });
    await send(1);
    await expect.poll(() => received).toEqual([1]);
    clock.delays.length = 0;
    first.realtime.closeSockets();
    await untilDisconnected();
    expect(clock.delays).toEqual([500]);
    await send(2);
    proxy.redirectTo(portOf(next));
    clock.advance(500);
    await untilSubscribed();
    await send(3);
    await expect.poll(() => received).toEqual([1, 2, 3]);
  });
});

describe('a connection that is frozen', () => {
  it('the heartbeat finds a frozen connection, which is replaced at once', async () => {
    const { proxy, clock, send, received, sent, sockets } = await openListener();
    clock.advance(25_000);
    expect(sent.at(-1)).toMatchObject({ type: 'ping' });
    await send(1);
    await expect.poll(() => received).toEqual([1]);
    clock.advance(24_000);
    proxy.freeze();
    await send(2);
    clock.advance(10_999);
    expect(sockets).toHaveLength(1);
    clock.advance(1);
    expect(sockets).toHaveLength(2);
    await expect.poll(() => received).toEqual([1, 2]);
  });

  it('a frozen connection is replaced at once when the machine wakes after a minute', async () => {
    const { proxy, clock, window, send, received, sockets } = await openListener();
    proxy.freeze();
    await send(1);
    clock.suspend(61_000);
    window.wake();
    expect(sockets).toHaveLength(2);
    await expect.poll(() => received).toEqual([1]);
  });

  it('a frozen connection is replaced at once when its timers fire a minute late', async () => {
    const { proxy, clock, send, received, sockets } = await openListener();
    proxy.freeze();
    await send(1);
    clock.suspend(90_000);
    clock.advance(0);
    expect(sockets).toHaveLength(2);
    await expect.poll(() => received).toEqual([1]);
  });

  it.each(['visibilitychange', 'online', 'pageshow', 'offline'])(
    'the connection is checked on %s',
    async (event) => {
      const { proxy, clock, window, send, received, sent, sockets } = await openListener();
      const pings = () => sent.filter(({ type }) => type === 'ping').length;
      window.dispatchEvent(new Event(event));
      expect(pings()).toBe(1);
      await send(1);
      await expect.poll(() => received).toEqual([1]);
      clock.advance(10_000);
      expect(sockets).toHaveLength(1);
      proxy.freeze();
      window.dispatchEvent(new Event(event));
      expect(pings()).toBe(2);
      clock.advance(10_000);
      expect(sockets).toHaveLength(2);
    },
  );
});

describe('the next attempt', () => {
  it('attempts wait 1, 2, 4, 8, 16 and then 30 s, plus jitter', async () => {
    const { proxy, clock, untilSubscribed, untilDisconnected, sockets } = await openListener();
    proxy.isDown = true;
    proxy.drop();
    const waits: number[] = [];
    for (let failures = 1; failures <= 7; failures += 1) {
      await untilDisconnected();
      const wait = clock.delays.at(-1) ?? 0;
      waits.push(wait);
      clock.advance(wait - 1);
      expect(sockets).toHaveLength(failures);
      clock.advance(1);
      expect(sockets).toHaveLength(failures + 1);
    }
    expect(waits).toEqual([1_500, 2_500, 4_500, 8_500, 16_500, 30_500, 30_500]);
    proxy.isDown = false;
    await untilSubscribed();
    clock.advance(10_000);
    proxy.drop();
    await untilDisconnected();
    expect(clock.delays.at(-1)).toBe(1_500);
  });

  it('delays grow if sockets are accepted and then dropped', async () => {
    const { proxy, clock, untilSubscribed, untilDisconnected, reconnect } = await openListener();
    const waits: number[] = [];
    for (let fall = 1; fall <= 4; fall += 1) {
      await untilSubscribed();
      clock.advance(9_000);
      proxy.drop();
      await untilDisconnected();
      waits.push(clock.delays.at(-1) ?? 0);
      reconnect();
    }
    expect(waits).toEqual([1_500, 2_500, 4_500, 8_500]);
  });

  it('an offline browser waits half a minute, or until it is online again', async () => {
    const { proxy, clock, window, untilDisconnected, untilSubscribed, sockets } = await openListener();
    Object.assign(window.navigator, { onLine: false });
    proxy.isDown = true;
    proxy.drop();
    await untilDisconnected();
    expect(clock.delays.at(-1)).toBe(30_500);
    clock.advance(30_500);
    expect(sockets).toHaveLength(2);
    await untilDisconnected();
    proxy.isDown = false;
    Object.assign(window.navigator, { onLine: true });
    window.dispatchEvent(new Event('online'));
    expect(sockets).toHaveLength(3);
    await untilSubscribed();
  });

  it('a client without subscriptions does not reconnect', async () => {
    const { proxy, clock, untilDisconnected, end, sockets } = await openListener();
    proxy.isDown = true;
    proxy.drop();
    await untilDisconnected();
    end();
    expect(clock.pending).toBe(0);
    clock.advance(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('a socket that does not open within 10 s is followed by another attempt', async () => {
    const { proxy, clock, untilDisconnected, sockets } = await openListener();
    proxy.drop();
    await untilDisconnected();
    clock.advance(1_500);
    expect(sockets).toHaveLength(2);
    clock.advance(10_000);
    await untilDisconnected();
    expect(clock.delays.at(-1)).toBe(2_500);
  });
});

describe('a page', () => {
  it('a hidden page closes its socket and opens one when it is shown again', async () => {
    const { window, send, received, clock, client, untilSubscribed } = await openListener();
    window.dispatchEvent(new Event('pagehide'));
    expect(client.realtime.getState()).toEqual({
      status: 'disconnected',
      channels: { 'public:a': 'disconnected' },
    });
    await send(1);
    clock.advance(60_000);
    expect(client.realtime.getState().status).toBe('disconnected');
    window.dispatchEvent(new Event('pageshow'));
    await untilSubscribed();
    await expect.poll(() => received).toEqual([1]);
  });

  it.each(['realtime.close', 'auth.destroy'])(
    'no socket, timer or listener is left after %s',
    async (way) => {
      const { proxy, window, clock, client, send, received, sockets, subscribe } = await openListener();
      const before = openTab().listenerCount;
      const publishing = client.realtime.publish('post:1', 'note', 1).catch((error: unknown) => error);
      await Promise.resolve();
      if (way === 'realtime.close') client.realtime.close();
      else client.auth.destroy();
      expect(await publishing).toMatchObject({ name: 'NetworkError' });
      expect(client.realtime.getState()).toEqual({ status: 'disconnected', channels: {} });
      expect(clock.pending).toBe(0);
      await send(1);
      clock.advance(60_000);
      window.dispatchEvent(new Event('online'));
      expect([received, sockets.length, proxy.count]).toEqual([[], 1, 1]);
      if (way === 'realtime.close') return;
      expect(window.listenerCount).toBe(before);
      subscribe('public:a');
      await expect(client.realtime.publish('public:a', 'note', 1)).rejects.toMatchObject({
        name: 'NetworkError',
      });
      expect(sockets).toHaveLength(1);
    },
  );
});
