import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openTestRealtime } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInProcessBroker } from '../../packages/backend/src/services/realtime/broker/in-process-broker.ts';
import { openStage, openTab, portOf } from './build-client.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

/** The service, a listener of `public:a`, and a voice that needs no line. */
async function openListener(options: Partial<Parameters<typeof openStage>[0]> = {}) {
  const broker = createInProcessBroker();
  const stage = await openStage({ accounts, broker, ...options });
  const window = openTab();
  const mine = stage.connect({ window });
  const listening = mine.listen('public:a');
  const isSubscribed = () => expect.poll(() => listening.states.at(-1), { interval: 2 }).toBe('subscribed');
  const isDisconnected = () =>
    expect.poll(() => mine.client.realtime.getState().status, { interval: 2 }).toBe('disconnected');
  await isSubscribed();
  const say = (n: number) => broker.publish('journal:public:a', JSON.stringify({ type: 'note', data: n }));
  /** Lets the time pass that it waits before it connects again. */
  const reconnect = () => mine.clock.advance(mine.clock.asked.at(-1) ?? 0);
  const waiting = { isSubscribed, isDisconnected, reconnect };
  return { ...stage, ...mine, ...listening, ...waiting, listening, window, say, broker };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('what is said while a client is away', () => {
  it('reaches it in order and once, before what is new', async () => {
    const { proxy, say, heard, isSubscribed, isDisconnected, reconnect, states } = await openListener();
    for (const n of numbers(20)) await say(n);
    await expect.poll(() => heard).toHaveLength(20);
    for (let fall = 1; fall <= 3; fall += 1) {
      proxy.drop();
      await isDisconnected();
      for (let n = 1; n <= 10; n += 1) await say(fall * 20 + n);
      reconnect();
      for (let n = 11; n <= 20; n += 1) await say(fall * 20 + n);
      await isSubscribed();
      await expect.poll(() => heard).toHaveLength((fall + 1) * 20);
    }
    expect(heard).toEqual(numbers(80));
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

  it('reaches it too when nothing was said before', async () => {
    const { proxy, say, heard, isDisconnected, reconnect } = await openListener();
    proxy.drop();
    await isDisconnected();
    await say(1);
    reconnect();
    await expect.poll(() => heard).toEqual([1]);
  });

  it('is to be fetched anew when it is more than is kept; then it goes on', async () => {
    const { proxy, say, listening, isSubscribed, isDisconnected, reconnect } = await openListener();
    await say(0);
    await expect.poll(() => listening.heard).toEqual([0]);
    proxy.drop();
    await isDisconnected();
    for (let n = 1; n <= 1_001; n += 1) await say(n);
    reconnect();
    await isSubscribed();
    await say(1_002);
    await expect.poll(() => listening.heard).toEqual([0, 1_002]);
    expect(listening.resyncs).toBe(1);
    proxy.drop();
    await isDisconnected();
    await say(1_003);
    reconnect();
    await expect.poll(() => listening.heard).toEqual([0, 1_002, 1_003]);
    expect(listening.resyncs).toBe(1);
  });
});

describe('what is said while a client shows itself anew', () => {
  it('is heard once', async () => {
    const { listen, say, heard, listening, isSubscribed } = await openListener();
    const shown: { end(): void }[] = [];
    for (const n of numbers(10)) {
      await say(n);
      shown.push(listen('public:a', { metadata: { n } }));
      // The message is on its way by now, and what was asked as well.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => heard.at(-1)).toBe(10);
    for (const one of shown) one.end();
    await expect.poll(() => listening.users.at(-1)).toEqual([]);
    await isSubscribed();
    expect(heard).toEqual(numbers(10));
  });
});

describe('a server that stops', () => {
  it('is come back to within a second, and nothing is missed', async () => {
    const first = await openListener();
    const { proxy, clock, say, heard, isDisconnected, isSubscribed, broker } = first;
    const next = await openTestRealtime({ accounts, broker });
    await say(1);
    await expect.poll(() => heard).toEqual([1]);
    clock.asked.length = 0;
    first.realtime.closeSockets();
    await isDisconnected();
    expect(clock.asked).toEqual([500]);
    await say(2);
    proxy.leadTo(portOf(next));
    clock.advance(500);
    await isSubscribed();
    await say(3);
    await expect.poll(() => heard).toEqual([1, 2, 3]);
  });
});

describe('a line on which nothing moves any more', () => {
  it('is found by the heartbeat, and replaced at once', async () => {
    const { proxy, clock, say, heard, sent, sockets } = await openListener();
    clock.advance(25_000);
    expect(sent.at(-1)).toMatchObject({ type: 'ping' });
    await say(1);
    await expect.poll(() => heard).toEqual([1]);
    clock.advance(24_000);
    proxy.freeze();
    await say(2);
    clock.advance(10_999);
    expect(sockets).toHaveLength(1);
    clock.advance(1);
    expect(sockets).toHaveLength(2);
    await expect.poll(() => heard).toEqual([1, 2]);
  });

  it('is replaced at once when the machine wakes after a minute', async () => {
    const { proxy, clock, window, say, heard, sockets } = await openListener();
    proxy.freeze();
    await say(1);
    clock.sleep(61_000);
    window.wake();
    expect(sockets).toHaveLength(2);
    await expect.poll(() => heard).toEqual([1]);
  });

  it('is replaced at once when its timers come a minute late', async () => {
    const { proxy, clock, say, heard, sockets } = await openListener();
    proxy.freeze();
    await say(1);
    clock.sleep(90_000);
    clock.advance(0);
    expect(sockets).toHaveLength(2);
    await expect.poll(() => heard).toEqual([1]);
  });

  it.each(['visibilitychange', 'online', 'pageshow', 'offline'])('is looked for on %s', async (event) => {
    const { proxy, clock, window, say, heard, sent, sockets } = await openListener();
    const pings = () => sent.filter(({ type }) => type === 'ping').length;
    window.dispatchEvent(new Event(event));
    expect(pings()).toBe(1);
    await say(1);
    await expect.poll(() => heard).toEqual([1]);
    clock.advance(10_000);
    expect(sockets).toHaveLength(1);
    proxy.freeze();
    window.dispatchEvent(new Event(event));
    expect(pings()).toBe(2);
    clock.advance(10_000);
    expect(sockets).toHaveLength(2);
  });
});

describe('the next try', () => {
  it('waits 1, 2, 4, 8, 16 and then 30 s, and half a second of jitter here', async () => {
    const { proxy, clock, isSubscribed, isDisconnected, sockets } = await openListener();
    proxy.isDown = true;
    proxy.drop();
    const waits: number[] = [];
    for (let failures = 1; failures <= 7; failures += 1) {
      await isDisconnected();
      const wait = clock.asked.at(-1) ?? 0;
      waits.push(wait);
      clock.advance(wait - 1);
      expect(sockets).toHaveLength(failures);
      clock.advance(1);
      expect(sockets).toHaveLength(failures + 1);
    }
    expect(waits).toEqual([1_500, 2_500, 4_500, 8_500, 16_500, 30_500, 30_500]);
    proxy.isDown = false;
    await isSubscribed();
    clock.advance(10_000);
    proxy.drop();
    await isDisconnected();
    expect(clock.asked.at(-1)).toBe(1_500);
  });

  it('waits ever longer where sockets are taken and dropped', async () => {
    const { proxy, clock, isSubscribed, isDisconnected, reconnect } = await openListener();
    const waits: number[] = [];
    for (let fall = 1; fall <= 4; fall += 1) {
      await isSubscribed();
      clock.advance(9_000);
      proxy.drop();
      await isDisconnected();
      waits.push(clock.asked.at(-1) ?? 0);
      reconnect();
    }
    expect(waits).toEqual([1_500, 2_500, 4_500, 8_500]);
  });

  it('is made at once when the browser is online again, and else in half a minute', async () => {
    const { proxy, clock, window, isDisconnected, isSubscribed, sockets } = await openListener();
    Object.assign(window.navigator, { onLine: false });
    proxy.isDown = true;
    proxy.drop();
    await isDisconnected();
    expect(clock.asked.at(-1)).toBe(30_500);
    clock.advance(30_500);
    expect(sockets).toHaveLength(2);
    await isDisconnected();
    proxy.isDown = false;
    Object.assign(window.navigator, { onLine: true });
    window.dispatchEvent(new Event('online'));
    expect(sockets).toHaveLength(3);
    await isSubscribed();
  });

  it('is not waited for by nobody', async () => {
    const { proxy, clock, isDisconnected, end, sockets } = await openListener();
    proxy.isDown = true;
    proxy.drop();
    await isDisconnected();
    end();
    expect(clock.pending).toBe(0);
    clock.advance(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('follows a socket that does not open within 10 s', async () => {
    const { proxy, clock, isDisconnected, sockets } = await openListener();
    proxy.drop();
    await isDisconnected();
    clock.advance(1_500);
    expect(sockets).toHaveLength(2);
    clock.advance(10_000);
    await isDisconnected();
    expect(clock.asked.at(-1)).toBe(2_500);
  });
});

describe('a page', () => {
  it('that is put away keeps no socket, and has one again when it is back', async () => {
    const { window, say, heard, clock, client, isSubscribed } = await openListener();
    window.dispatchEvent(new Event('pagehide'));
    expect(client.realtime.getState()).toEqual({
      status: 'disconnected',
      channels: { 'public:a': 'disconnected' },
    });
    await say(1);
    clock.advance(60_000);
    expect(client.realtime.getState().status).toBe('disconnected');
    window.dispatchEvent(new Event('pageshow'));
    await isSubscribed();
    await expect.poll(() => heard).toEqual([1]);
  });

  it.each(['realtime.close', 'auth.destroy'])('leaves nothing behind after %s', async (way) => {
    const { proxy, window, clock, client, say, heard, sockets, listen } = await openListener();
    const before = openTab().listenerCount;
    const publishing = client.realtime.publish('post:1', 'note', 1).catch((error: unknown) => error);
    await Promise.resolve();
    if (way === 'realtime.close') client.realtime.close();
    else client.auth.destroy();
    expect(await publishing).toMatchObject({ name: 'NetworkError' });
    expect(client.realtime.getState()).toEqual({ status: 'disconnected', channels: {} });
    expect(clock.pending).toBe(0);
    await say(1);
    clock.advance(60_000);
    window.dispatchEvent(new Event('online'));
    expect([heard, sockets.length, proxy.count]).toEqual([[], 1, 1]);
    if (way === 'realtime.close') return;
    expect(window.listenerCount).toBe(before);
    listen('public:a');
    await expect(client.realtime.publish('public:a', 'note', 1)).rejects.toMatchObject({
      name: 'NetworkError',
    });
    expect(sockets).toHaveLength(1);
  });
});
