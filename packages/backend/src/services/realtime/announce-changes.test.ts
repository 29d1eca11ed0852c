import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openTestRealtime } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChangeEvent } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import type { Broker } from './broker/broker.ts';
import { createInProcessBroker } from './broker/in-process-broker.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

const change = (id: string): ChangeEvent => ({
  projectId: 'journal',
  table: 'names',
  operation: 'update',
  id,
  changed: ['display_name'],
  before: null,
  after: null,
});

const announce: ProjectDefinition['announce'] = async ({ id }, find) => {
  if (id === 'broken') throw new Error('This cannot be announced.');
  const row = id.startsWith('user') ? await find('users', id) : undefined;
  return [{ channel: 'public:a', type: 'changed', data: { id, name: row?.display_name ?? null } }];
};

it('the announcements of a project reach their channels in the order of the changes, even if some of them query the database', async () => {
  const { open, bus } = await openTestRealtime({ accounts, definition: { announce } });
  const { body } = await accounts.call('POST', '/api/auth/signup', {
    body: {
      projectId: 'journal',
      email: 'a@example.org',
      password: 'a long enough passphrase',
      displayName: 'Ada',
    },
  });
  const socket = await open();
  socket.send('subscribe', { channel: 'public:a' });
  await socket.next('subscribed');
  for (const id of [body.user.id, 'one', 'broken', 'two']) bus.publish(change(id));
  await expect
    .poll(() => socket.dataOf('public:a'))
    .toEqual([
      { id: body.user.id, name: 'Ada' },
      { id: 'one', name: null },
      { id: 'two', name: null },
    ]);
  expect(socket.of('message')[0]).toMatchObject({ type: 'changed' });
  expect(socket.of('message')[0]).not.toHaveProperty('userId');
});

it('announcements wait while the broker is away', async () => {
  let isAway = true;
  const returned: (() => void)[] = [];
  const inner = createInProcessBroker();
  const broker: Broker = {
    ...inner,
    publish: async (key, text) => {
      if (isAway) throw new AppError('REALTIME_UNAVAILABLE', 'Away.');
      return inner.publish(key, text);
    },
    onReady: (listener) => returned.push(listener),
  };
  const { open, bus } = await openTestRealtime({ accounts, broker, definition: { announce } });
  const socket = await open();
  socket.send('subscribe', { channel: 'public:a' });
  await socket.next('subscribed');
  for (const id of ['one', 'two', 'three']) bus.publish(change(id));
  await new Promise(setImmediate);
  isAway = false;
  for (const listener of returned) listener();
  await expect
    .poll(() => socket.dataOf('public:a'))
    .toMatchObject([{ id: 'one' }, { id: 'two' }, { id: 'three' }]);
});

it('closing publishes the announcements of all changes before it', async () => {
  const published: string[] = [];
  const inner = createInProcessBroker();
  const broker: Broker = {
    ...inner,
    async publish(key, text) {
      await new Promise(setImmediate);
      published.push(JSON.parse(text).data.id);
      return inner.publish(key, text);
    },
  };
  const { realtime, bus } = await openTestRealtime({ accounts, broker, definition: { announce } });
  for (const id of ['one', 'two', 'three']) bus.publish(change(id));
  await realtime.close();
  expect(published).toEqual(['one', 'two', 'three']);
});
