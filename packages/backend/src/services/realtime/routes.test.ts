import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openTestRealtime, signUpTestPerson } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

const publish = (channel: string, data: unknown) => ({ channel, type: 'note', data });

describe('requests', () => {
  it('POST publish stores messages, and GET messages returns the range that is indexesOf for', async () => {
    const { open, call } = await openTestRealtime({ accounts });
    const { id: userId, token } = await signUpTestPerson(accounts);
    const socket = await open();
    socket.send('subscribe', { channel: 'public:a' });
    await socket.next('subscribed');
    const ids: string[] = [];
    for (const data of ['a', { b: 1 }, null]) {
      const { status, body } = await call('POST', 'publish', {
        token,
        body: { ...publish('public:a', data), metadata: { at: 'desk' } },
      });
      expect(status).toBe(200);
      ids.push(body.messageId);
    }
    await expect.poll(() => socket.dataOf('public:a')).toEqual(['a', { b: 1 }, null]);
    const indexesOf = async (query: string) =>
      (await call('GET', `messages?channel=public:a&${query}`)).body.messages.map(({ id }: { id: string }) =>
        ids.indexOf(id),
      );
    expect(await indexesOf('')).toEqual([0, 1, 2]);
    expect(await indexesOf('limit=1')).toEqual([2]);
    expect(await indexesOf('start=-&end=%2B&limit=2')).toEqual([1, 2]);
    expect(await indexesOf('end=+')).toEqual([0, 1, 2]);
    expect(await indexesOf(`start=${ids[1]}&limit=1`)).toEqual([1]);
    expect(await indexesOf(`end=${ids[1]}`)).toEqual([0, 1]);
    const { body } = await call('GET', `messages?channel=public:a&limit=1&start=${ids[1]}`);
    expect(body.messages).toEqual([
      {
        channel: 'public:a',
        id: ids[1],
        type: 'note',
        data: { b: 1 },
        timestamp: expect.any(Number),
        userId,
        metadata: { at: 'desk' },
      },
    ]);
  });

  it.each(['limit=0', 'limit=1001', 'start=yesterday', 'end=-1'])(
    'GET messages responds 400 to an invalid range: %s',
    async (query) => {
      const { call } = await openTestRealtime({ accounts });
      const { status, body } = await call('GET', `messages?channel=public:a&${query}`);
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );

  it('POST publish responds 413 to a message of more than 64 KiB', async () => {
    const { call } = await openTestRealtime({ accounts });
    const { status, body } = await call('POST', 'publish', { body: publish('public:a', 'x'.repeat(65_536)) });
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('a message that is over 64 KiB once it is serialized is refused over HTTP and on a socket', async () => {
    const { open, call } = await openTestRealtime({ accounts });
    const text = `{"channel":"public:a","type":"note","data":[${Array(10_000).fill('1e20').join()}]}`;
    const { status, body } = await call('POST', 'publish', { body: text });
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const socket = await open();
    socket.ws.send(`{"type":"publish","payload":${text}}`);
    expect(await socket.next('error')).toMatchObject({ channel: 'public:a', code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each(['messages', 'presence'])(
    'an IP address may send 200 GET requests in ten seconds, the secret key more: %s',
    async (path) => {
      const { call } = await openTestRealtime({ accounts, rateLimit: true });
      const secretKey = accounts.projects.get('journal')?.secretKey ?? '';
      const ask = () => call('GET', `${path}?channel=public:a`);
      const statuses = await Promise.all(Array.from({ length: 201 }, ask));
      expect(statuses.filter(({ status }) => status !== 200)).toMatchObject([
        { status: 429, body: { code: 'RATE_LIMITED' } },
      ]);
      expect((await call('GET', `${path}?channel=public:a`, { token: secretKey })).status).toBe(200);
    },
  );
});
