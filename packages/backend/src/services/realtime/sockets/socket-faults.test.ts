import { connect } from 'node:net';
import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openTestRealtime } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anonymous, type Caller } from '../../../core/caller.ts';
import type { Broker } from '../broker/broker.ts';
import { createInProcessBroker } from '../broker/in-process-broker.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

const publish = (data: unknown) => ({ channel: 'public:a', type: 'note', data });

describe('a socket that never reads', () => {
  it('a socket that never reads is terminated and delays no other socket', async () => {
    const broker = createInProcessBroker();
    const { open } = await openTestRealtime({ accounts, broker, limits: { bufferedBytes: 256 * 1024 } });
    const [stalled, other] = [await open(), await open()];
    for (const socket of [stalled, other]) {
      socket.send('subscribe', { channel: 'public:a' });
      await socket.next('subscribed');
    }
    stalled.ws.pause();
    const body = JSON.stringify({ type: 'note', data: 'x'.repeat(60_000) });
    for (let count = 1; count <= 400; count += 1) {
      await broker.publish('journal:public:a', body);
      if (count % 10 === 0) await expect.poll(() => other.of('message').length, { interval: 1 }).toBe(count);
    }
    stalled.ws.resume();
    expect(await stalled.closed).toBe(1006);
    expect(stalled.of('message').length).toBeLessThan(400);
    other.send('ping', {});
    await other.next('pong');
  });
});

describe('invalid messages', () => {
  it.each([
    ['text that is not JSON', 'hello', 'INVALID_JSON'],
    ['JSON that is not a message', '[1]', 'VALIDATION_FAILED'],
    ['a message of an unknown type', '{"type":"shout","payload":{}}', 'VALIDATION_FAILED'],
    ['a message without its payload', '{"type":"publish","payload":{}}', 'VALIDATION_FAILED'],
    ['a binary message', Buffer.from([1, 2, 3]), 'VALIDATION_FAILED'],
  ])('a socket gets an error for %s, and is closed after six of them', async (_, data, code) => {
    const { open } = await openTestRealtime({ accounts });
    const socket = await open();
    for (let count = 0; count < 6; count += 1) socket.ws.send(data);
    expect(await socket.next('error')).toEqual({ code, error: expect.stringMatching(/\w{3}/) });
    expect(await socket.closed).toBe(1008);
    expect(socket.of('error')).toHaveLength(6);
  });

  it('a socket gets an error for data that is nested too deeply to be serialized', async () => {
    const { open } = await openTestRealtime({ accounts });
    const socket = await open();
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    socket.ws.send(`{"type":"publish","payload":{"channel":"public:a","type":"note","data":${deep}}}`);
    expect(await socket.next('error')).toMatchObject({ channel: 'public:a', code: 'VALIDATION_FAILED' });
  });

  it('a socket that sends 10 MB is closed at once', async () => {
    const { open } = await openTestRealtime({ accounts });
    const [socket, other] = [await open(), await open()];
    socket.ws.send(JSON.stringify({ type: 'publish', payload: publish('x'.repeat(10 * 1024 * 1024)) }));
    expect([1006, 1009]).toContain(await socket.closed);
    other.send('ping', {});
    await other.next('pong');
  });

  it('a socket that sends a message in a thousand fragments is closed', async () => {
    const { open } = await openTestRealtime({ accounts });
    const socket = await open();
    for (let count = 0; count < 1_000; count += 1) socket.ws.send('x', { fin: false });
    expect(await socket.closed).toBe(1008);
  });

  it('a socket that sends an invalid frame is closed', async () => {
    const { open } = await openTestRealtime({ accounts });
    const socket = await open();
    // A reserved opcode, written past the library.
    (socket.ws as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(
      Buffer.from([0x8f, 0x80, 0, 0, 0, 0]),
    );
    expect(await socket.closed).toBe(1002);
  });
});

describe('limits of a socket', () => {
  it('a socket is rate limited while many bytes of its messages wait to be handled', async () => {
    const never = new Promise<never>(() => undefined);
    const broker = { ...createInProcessBroker(), publish: () => never };
    const limits = { bufferedBytes: 256 * 1024, messagesPerSecond: 1_000 };
    const { open } = await openTestRealtime({ accounts, broker, limits });
    const socket = await open();
    for (let count = 0; count < 8; count += 1) socket.send('publish', publish('x'.repeat(60_000)));
    expect(await socket.next('error')).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('a socket may send 50 messages a second, and is closed when it ignores the errors', async () => {
    const now = Date.now();
    const { open } = await openTestRealtime({ accounts, now: () => now });
    const [watcher, socket] = [await open(), await open()];
    watcher.send('subscribe', { channel: 'public:a' });
    await watcher.next('subscribed');
    for (let count = 0; count < 1_000; count += 1) socket.send('publish', publish(count));
    expect(await socket.closed).toBe(4429);
    expect(socket.of('error')[0]).toMatchObject({ code: 'RATE_LIMITED' });
    watcher.send('ping', {});
    await watcher.next('pong');
    expect(watcher.dataOf('public:a')).toEqual(
      Array.from({ length: watcher.of('message').length }, (_, at) => at),
    );
    expect(watcher.of('message').length).toBeLessThanOrEqual(50);
  });

  it('a rate limited socket may send again after a second', async () => {
    let now = Date.now();
    const { open } = await openTestRealtime({ accounts, now: () => now, limits: { messagesPerSecond: 2 } });
    const socket = await open();
    const ask = async () => {
      for (let count = 0; count < 3; count += 1) socket.send('ping', {});
      await socket.next('error');
    };
    await ask();
    now += 1_000;
    await ask();
    expect([socket.of('pong').length, socket.of('error').length]).toEqual([4, 2]);
  });

  it('a socket may not join more channels than the limit', async () => {
    const { open } = await openTestRealtime({ accounts, limits: { channels: 3 } });
    const socket = await open();
    for (const name of ['a', 'b', 'c', 'd', 'a']) socket.send('subscribe', { channel: `public:${name}` });
    expect(await socket.next('error')).toMatchObject({ channel: 'public:d', code: 'QUOTA_EXCEEDED' });
    await expect
      .poll(() => socket.of('subscribed').map(({ channel }) => channel))
      .toEqual(['public:a', 'public:b', 'public:c', 'public:a']);
    socket.send('unsubscribe', { channel: 'public:a' });
    socket.send('subscribe', { channel: 'public:d' });
    await expect.poll(() => socket.of('subscribed').at(-1)?.channel).toBe('public:d');
  });

  it('a socket that sends 10,000 subscriptions at once is closed and joins 100 channels at most', async () => {
    const { open, call } = await openTestRealtime({ accounts });
    const socket = await open();
    for (let count = 0; count < 10_000; count += 1) {
      socket.send('subscribe', { channel: `public:${count}`, userId: 'many' });
    }
    expect(await socket.closed).toBe(4429);
    expect(socket.of('subscribed').length).toBeLessThanOrEqual(100);
    expect((await call('GET', 'presence?channel=public:0')).body.users).toEqual([]);
  });
});

describe('broken connections', () => {
  it('a socket that is silent for a minute is closed and leaves presence', async () => {
    let now = Date.now();
    const { open, call } = await openTestRealtime({ accounts, now: () => now });
    const [silent, talking] = [await open(), await open()];
    for (const [userId, socket] of Object.entries({ silent, talking })) {
      socket.send('subscribe', { channel: 'public:a', userId });
      await socket.next('subscribed');
    }
    now += 59_000;
    talking.send('ping', {});
    await talking.next('pong');
    now += 1_000;
    const present = async () =>
      (await call('GET', 'presence?channel=public:a')).body.users.map(
        ({ userId }: { userId: string }) => userId,
      );
    await expect.poll(present).toEqual(['talking']);
    expect(await silent.closed).toBe(4408);
    talking.send('ping', {});
    await talking.next('pong');
  });

  it('a socket leaves presence when its connection breaks', async () => {
    const { open, call } = await openTestRealtime({ accounts });
    const socket = await open();
    socket.send('subscribe', { channel: 'public:a', userId: 'ada' });
    await socket.next('presence');
    socket.ws.terminate();
    await expect.poll(async () => (await call('GET', 'presence?channel=public:a')).body.users).toEqual([]);
  });

  it('a closed socket joins no channel that it had asked for', async () => {
    const inner = createInProcessBroker();
    const subscribed = new Set<string>();
    const broker: Broker = {
      ...inner,
      subscribe(key, listener) {
        subscribed.add(key);
        return inner.subscribe(key, listener);
      },
      unsubscribe(key) {
        subscribed.delete(key);
        inner.unsubscribe(key);
      },
    };
    let isAuthenticating = false;
    let respond: (caller: Caller) => void = () => undefined;
    const authenticate = async () => {
      if (subscribed.size === 0) return anonymous;
      isAuthenticating = true;
      return new Promise<Caller>((resolve) => {
        respond = resolve;
      });
    };
    const auth = { ...accounts.auth, authenticate };
    const { open } = await openTestRealtime({ accounts: { ...accounts, auth }, broker });
    const socket = await open({ token: accounts.projects.get('journal')?.secretKey ?? '' });
    for (const channel of ['public:a', 'public:b']) socket.send('subscribe', { channel });
    await expect.poll(() => isAuthenticating).toBe(true);
    socket.ws.terminate();
    await expect.poll(() => [...subscribed]).toEqual([]);
    respond(anonymous);
    await new Promise(setImmediate);
    expect([...subscribed]).toEqual([]);
  });

  it('a refused handshake closes the connection even if the client keeps its half open', async () => {
    const { url } = await openTestRealtime({ accounts });
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    let response = '';
    socket.on('data', (bytes) => {
      response += bytes;
    });
    const isGone = new Promise((resolve) => socket.on('error', resolve));
    socket.write(
      'GET /?project_id=nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await new Promise((resolve) => socket.on('end', resolve));
    expect(response).toMatch(/^HTTP\/1\.1 404 .*X-Request-Id: [\da-f-]{36}\r\n/s);
    const talking = setInterval(() => socket.write('x'), 5);
    onTestFinished(() => clearInterval(talking));
    await isGone;
  });

  it('a connection that breaks during the handshake leaves the server working', async () => {
    const { url, open } = await openTestRealtime({ accounts });
    const { port } = new URL(url);
    const head =
      'GET /?project_id=journal HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    const whole = `${head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    for (const bytes of [head, `${head}\r\n`, whole, `${whole}\x81`]) {
      await new Promise((resolve) => {
        const socket = connect({ port: Number(port), host: '127.0.0.1' }, () => socket.end(bytes));
        socket.on('error', resolve).on('close', resolve).resume();
      });
    }
    const socket = await open();
    expect(socket.of('connected')).toHaveLength(1);
    await socket.close();
  });
});

describe('limits of a node', () => {
  it('a socket whose token cannot be checked is closed instead of becoming anonymous', async () => {
    const auth = { ...accounts.auth, authenticate: () => Promise.reject(new Error('The disk is gone.')) };
    const { build } = await openTestRealtime({ accounts: { ...accounts, auth } });
    const socket = build({ token: 'any' });
    expect(await socket.next('error')).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(await socket.closed).toBe(1011);
    expect(socket.of('connected')).toEqual([]);
  });

  it('a node refuses sockets above its limit and above the limit of an IP address', async () => {
    for (const limits of [{ sockets: 2 }, { socketsPerIp: 2 }]) {
      const { open, build } = await openTestRealtime({ accounts, limits });
      const [first] = [await open(), await open()];
      const status = new Promise((resolve) =>
        build().ws.once('unexpected-response', (_, response) => resolve(response.statusCode)),
      );
      expect(await status).toBe('sockets' in limits ? 503 : 429);
      await first?.close();
      await (await open()).close();
    }
  });

  it('a node that stops closes all its sockets', async () => {
    const { realtime, open, build } = await openTestRealtime({ accounts });
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open()));
    realtime.closeSockets();
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual(sockets.map(() => 1001));
    expect(await build().closed).toBe(1006);
  });
});
