import { setTimeout as wait } from 'node:timers/promises';
import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook, library as definition } from '@fabrica/backend/testing/database/build-test-library.ts';
import { projectUrl, withPostgresClient } from '@fabrica/backend/testing/database/build-test-postgres.ts';
import { startTestProxy } from '@fabrica/backend/testing/database/build-test-proxy.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../port.ts';
import { schemaOf } from '../../../schema.ts';
import { createPostgresEngine } from '../postgres-engine.ts';

let library: TestDatabase;
let elsewhere: Database;

beforeEach(async () => {
  library = await openTestDatabase(definition);
  elsewhere = await library.openElsewhere();
});
afterEach(() => library.close());

const book = (id: string) => ({ ...buildBook({ id }), shelf: 0, created_at: 1, updated_at: 1 });

test('a commit of another process counts as foreign at once, and an own commit does not', async () => {
  const { database, service } = library;
  const before = database.foreignCommits();
  const version = database.version();
  await service('POST', 'books', { body: buildBook({}) });
  expect(database.version()).not.toBe(version);
  await wait(100);
  expect(database.foreignCommits()).toBe(before);
  await elsewhere.writer.insertInto('books').values(book('a')).execute();
  await expect.poll(() => database.foreignCommits()).toBeGreaterThan(before);
});

test('a cached response is read again once another process has written', async () => {
  const ask = async () => (await library.anonymous('GET', 'books')).body.length;
  for (const _ of ['asked', 'kept', 'kept']) expect(await ask()).toBe(0);
  await elsewhere.writer.insertInto('books').values(book('a')).execute();
  await expect.poll(ask).toBe(1);
});

test('reads and rolled back transactions send no notification', async () => {
  const before = library.database.foreignCommits();
  await elsewhere.query('SELECT * FROM books', []);
  await elsewhere.reader.selectFrom('books').selectAll().execute();
  await elsewhere.writer.transaction().execute((open) => open.selectFrom('books').selectAll().execute());
  const refused = elsewhere.writer.transaction().execute(async (open) => {
    await open.insertInto('books').values(book('a')).execute();
    throw new Error('No.');
  });
  await expect(refused).rejects.toThrow('No.');
  await wait(100);
  expect(library.database.foreignCommits()).toBe(before);
});

test('many commits are announced in few notifications, which include the last commit', async () => {
  const before = library.database.foreignCommits();
  const started = performance.now();
  for (let at = 0; at < 100; at += 1)
    await elsewhere.writer
      .insertInto('books')
      .values(book(`b${at}`))
      .execute();
  await expect.poll(async () => (await library.anonymous('GET', 'books')).body.length).toBe(100);
  const count = library.database.foreignCommits() - before;
  const took = performance.now() - started;
  // One each 20 ms, and one for each look at the counter that comes before a notification.
  expect(count).toBeLessThanOrEqual(took / 20 + took / 500 + 2);
});

test('the commit of a command that ends at once is announced', async () => {
  const command = await library.openElsewhere();
  const before = library.database.foreignCommits();
  await command.writer.insertInto('books').values(book('a')).execute();
  await command.close();
  await expect.poll(() => library.database.foreignCommits()).toBeGreaterThan(before);
});

test('another project receives no notifications of commits and cannot forge any', async () => {
  const { rows } = await withPostgresClient(
    await projectUrl(library.settings.DATABASE_URL ?? '', 'library'),
    async (own) => {
      const channels: string[] = [];
      own.on('notification', ({ channel }) => channels.push(channel));
      for (const channel of ['fabrica', 'library', 'project_library']) await own.query(`LISTEN ${channel}`);
      await elsewhere.writer.insertInto('books').values(book('a')).execute();
      await own.query('SELECT pg_sleep(0.1)');
      expect(channels).toEqual([]);
      return own.query('SELECT pg_listening_channels() AS channel');
    },
  );
  expect(rows.map(({ channel }) => channel)).toEqual(['fabrica', 'library', 'project_library']);
});

test('a commit whose notification is lost is noticed by the count of commits', async () => {
  const url = new URL(library.settings.DATABASE_URL ?? '');
  const proxy = await startTestProxy(Number(url.port));
  url.port = String(proxy.port);
  const engine = createPostgresEngine({ url: url.href, poolSize: 2 });
  const cutOff = await engine.open({ id: definition.id, schema: schemaOf(definition) });
  const ask = async () => (await library.anonymous('GET', 'books')).body.length;
  for (const _ of ['asked', 'kept']) expect(await ask()).toBe(0);
  // Nothing more arrives on the connection on which a notification would be sent.
  proxy.interfere((sent) =>
    sent.includes('pg_notify') || sent.includes(' sent(channel') ? 'silence' : 'pass',
  );
  await cutOff.writer.insertInto('books').values(book('a')).execute();
  // Before the connection that is silent is given up, after which the notification would be sent again.
  await expect.poll(ask, { timeout: 4_500, interval: 50 }).toBe(1);
  await proxy.close();
  await cutOff.close();
  await engine.close();
});

test('own commits are not taken for foreign ones when counts are compared', async () => {
  const before = library.database.foreignCommits();
  const until = performance.now() + 1_600;
  while (performance.now() < until) await library.service('POST', 'books', { body: buildBook({}) });
  expect(library.database.foreignCommits() - before).toBe(0);
});
