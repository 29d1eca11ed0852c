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

const announceFlood: ProjectDefinition['announce'] = ({ id }) => [
  { channel: `public:${id.split('-')[0]}`, type: 'changed', data: { id } },
];

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

it('a row that cannot be read at the moment is announced once it can, and nothing behind it is lost', async () => {
  let failures = 3;
  const projects = new Map(accounts.projects);
  const journal = projects.get('journal');
  if (!journal) throw new Error('There is a project.');
  const reader = new Proxy(journal.database.reader, {
    get(target, name) {
      if (name === 'selectFrom' && failures > 0) {
        failures -= 1;
        throw new Error('The database is away.');
      }
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  projects.set('journal', { ...journal, database: { ...journal.database, reader } });
  const { open, bus } = await openTestRealtime({
    accounts: { auth: accounts.auth, projects },
    definition: { announce },
  });
  const socket = await open();
  socket.send('subscribe', { channel: 'public:a' });
  await socket.next('subscribed');
  for (const id of ['user-of-nobody', 'one']) bus.publish(change(id));
  await expect
    .poll(() => socket.dataOf('public:a'))
    .toEqual([
      { id: 'user-of-nobody', name: null },
      { id: 'one', name: null },
    ]);
  expect(failures).toBe(0);
  expect(socket.of('resync')).toEqual([]);
});

it('clients fetch anew after a change that cannot be announced, also those that come back later', async () => {
  const { open, bus } = await openTestRealtime({ accounts, definition: { announce } });
  const [here, away] = [await open(), await open()];
  const positions: string[] = [];
  for (const socket of [here, away]) {
    socket.send('subscribe', { channel: 'public:quiet' });
    positions.push((await socket.next('subscribed')).last);
  }
  await away.close();
  bus.publish(change('broken'));
  await expect.poll(() => here.of('resync')).toHaveLength(1);
  const back = await open();
  back.send('subscribe', { channel: 'public:quiet', after: positions[1] ?? '' });
  await expect.poll(() => back.of('resync')).toHaveLength(1);
});

it('clients fetch anew after a write of SQL, also those that come back later', async () => {
  const { open, bus } = await openTestRealtime({ accounts, definition: { announce } });
  const [here, away] = [await open(), await open()];
  const positions: string[] = [];
  for (const socket of [here, away]) {
    socket.send('subscribe', { channel: 'public:sql' });
    positions.push((await socket.next('subscribed')).last);
  }
  await away.close();
  bus.publishTables({ projectId: 'journal', tables: ['names'] });
  await expect.poll(() => here.of('resync')).toHaveLength(1);
  const back = await open();
  back.send('subscribe', { channel: 'public:sql', after: positions[1] ?? '' });
  await expect.poll(() => back.of('resync')).toHaveLength(1);
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

it('a flood of changes ends in one resync of each channel, and others get their messages meanwhile', async () => {
  const { open, bus } = await openTestRealtime({ accounts, definition: { announce: announceFlood } });
  const [flooded, quiet, late] = [await open(), await open(), await open()];
  flooded.send('subscribe', { channel: 'public:flooded' });
  quiet.send('subscribe', { channel: 'public:quiet' });
  const { last } = await flooded.next('subscribed');
  await quiet.next('subscribed');
  for (let n = 0; n < 54_000; n += 1) bus.publish(change(`flooded-${n}`));
  bus.publish(change('quiet-1'));
  await expect.poll(() => flooded.of('resync')).toHaveLength(1);
  await expect.poll(() => quiet.dataOf('public:quiet')).toEqual([{ id: 'quiet-1' }]);
  bus.publish(change('flooded-after'));
  await expect.poll(() => flooded.dataOf('public:flooded').at(-1)).toEqual({ id: 'flooded-after' });
  expect(flooded.of('resync')).toHaveLength(1);
  expect(flooded.dataOf('public:flooded').length).toBeLessThan(2_000);

  // Who comes back gets the same.
  late.send('subscribe', { channel: 'public:flooded', after: last });
  await expect.poll(() => late.of('resync')).toHaveLength(1);
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
