import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openTestRealtime, signUpTestPerson } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInProcessBroker } from '../broker/in-process-broker.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

describe('presence', () => {
  it('presence lists each user once, until their last socket leaves', async () => {
    const { open, call } = await openTestRealtime({ accounts });
    const { id, token } = await signUpTestPerson(accounts);
    const watcher = await open();
    watcher.send('subscribe', { channel: 'public:a' });
    await watcher.next('subscribed');
    const [one, two] = [await open({ token }), await open({ token })];
    one.send('subscribe', { channel: 'public:a', metadata: { name: 'Ada' } });
    await one.next('subscribed');
    two.send('subscribe', { channel: 'public:a', metadata: { name: 'Ada L.' } });
    await two.next('subscribed');
    const names = () =>
      watcher
        .of('presence')
        .at(-1)
        ?.data.users.map(({ metadata }) => metadata.name);
    await expect.poll(names).toEqual(['Ada L.']);
    const { body } = await call('GET', 'presence?channel=public:a');
    expect(body.users).toEqual([
      {
        userId: id,
        metadata: { name: 'Ada L.' },
        joinedAt: expect.any(Number),
        lastSeen: expect.any(Number),
      },
    ]);
    await two.close();
    await expect.poll(names).toEqual(['Ada']);
    one.send('unsubscribe', { channel: 'public:a' });
    await expect.poll(names).toEqual([]);
  });

  it('a socket gets the presence list when it subscribes', async () => {
    const { open } = await openTestRealtime({ accounts });
    const ada = await open();
    ada.send('subscribe', { channel: 'public:a', userId: 'ada' });
    await ada.next('presence');
    const watcher = await open();
    watcher.send('subscribe', { channel: 'public:a' });
    expect((await watcher.next('presence')).data.users).toMatchObject([{ userId: 'ada', metadata: {} }]);
  });

  it('sockets that subscribe at the same time share one read of the presence list', async () => {
    let lists = 0;
    const inner = createInProcessBroker();
    const present = async (key: string) => {
      lists += 1;
      return inner.present(key);
    };
    const { open } = await openTestRealtime({ accounts, broker: { ...inner, present }, presenceMs: 60_000 });
    const ada = { socketId: 'elsewhere', userId: 'ada', metadata: {}, joinedAt: 1, lastSeen: 1 };
    await inner.join('journal:public:a', ada);
    const watchers = await Promise.all(Array.from({ length: 30 }, () => open()));
    for (const watcher of watchers) watcher.send('subscribe', { channel: 'public:a' });
    for (const watcher of watchers) expect((await watcher.next('presence')).data.users).toHaveLength(1);
    expect(lists).toBe(1);
  });

  it('presence lists fewer users when their metadata is too long', async () => {
    const broker = createInProcessBroker();
    const { call } = await openTestRealtime({ accounts, broker });
    for (let at = 0; at < 300; at += 1) {
      const who = { socketId: `s${at}`, userId: `u${at}`, joinedAt: at, lastSeen: at };
      await broker.join('journal:public:a', { ...who, metadata: { about: 'x'.repeat(4_000) } });
    }
    const { users } = (await call('GET', 'presence?channel=public:a')).body;
    expect(users.map(({ userId }: { userId: string }) => userId)).toEqual(
      Array.from({ length: 65 }, (_, at) => `u${at}`),
    );
  });

  it('a user who may not be shown in the channel is not in presence', async () => {
    const { open, call } = await openTestRealtime({ accounts });
    const ada = await open();
    ada.send('subscribe', { channel: 'post:1', userId: 'ada', metadata: { advert: 'Buy!' } });
    await ada.next('subscribed');
    expect((await call('GET', 'presence?channel=post:1')).body).toEqual({ users: [] });
  });

  it('users who join at the same time share a presence list', async () => {
    const { open } = await openTestRealtime({ accounts });
    const watcher = await open();
    watcher.send('subscribe', { channel: 'public:a' });
    await watcher.next('subscribed');
    const sockets = await Promise.all(Array.from({ length: 30 }, () => open()));
    for (const [at, socket] of sockets.entries())
      socket.send('subscribe', { channel: 'public:a', userId: `u${at}` });
    await expect.poll(() => watcher.of('presence').at(-1)?.data.users.length).toBe(30);
    expect(watcher.of('presence').length).toBeLessThan(20);
  });
});
