import { buildTestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { openTestEngine, type TestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { buildBook, library as definition } from '@fabrica/backend/testing/database/build-test-library.ts';
import {
  type Interfere,
  startTestProxy,
  type TestProxy,
} from '@fabrica/backend/testing/database/build-test-proxy.ts';
import { openTestRealtime } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { buildTestStorage, buildUpload } from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createPostgresEngine } from '../postgres-engine.ts';

let engine: TestEngine;
let proxy: TestProxy;
/** The library behind a proxy that breaks connections. */
let library: TestDatabase;

beforeEach(async () => {
  engine = await openTestEngine();
  proxy = await startTestProxy(Number(new URL(engine.settings.DATABASE_URL ?? '').port));
  library = await openTestDatabase(definition, openBehindProxy());
});
afterEach(async () => {
  proxy.interfere(() => 'pass');
  await library.close();
  await proxy.close();
  await engine.close();
});

function openBehindProxy(): TestEngine {
  const url = new URL(engine.settings.DATABASE_URL ?? '');
  url.port = String(proxy.port);
  const another = () => createPostgresEngine({ url: url.href });
  return { ...another(), settings: engine.settings, another };
}

/** Interferes with the first data that matches. */
function once(part: RegExp, what: ReturnType<Interfere>): Interfere {
  let done = false;
  return (sent) => {
    if (done || !part.test(sent)) return 'pass';
    done = true;
    return what;
  };
}

const create = (id: string) => library.service('POST', 'books', { body: buildBook({ id }) });
const ids = async () =>
  (await library.service('GET', 'books?select=id&order=id')).body.map(({ id }: { id: string }) => id);

test('a write is committed once when its connection ends before the commit', async () => {
  for (const part of [/BEGIN/, /INSERT INTO "books"/, /SELECT count/]) {
    for (const what of ['cut', 'cut after it'] as const) {
      proxy.interfere(once(part, what));
      expect((await create(`${part.source} ${what}`.replace(/\W+/g, '-'))).status).toBe(201);
    }
  }
  expect(await ids()).toHaveLength(6);
  expect(library.events).toHaveLength(6);
});

test('a write is not retried when it is uncertain whether it was committed', async () => {
  proxy.interfere(once(/COMMIT/, 'cut'));
  const lost = await create('lost');
  proxy.interfere(once(/COMMIT/, 'cut after it'));
  const kept = await create('kept');
  for (const { status, body } of [lost, kept]) {
    expect([status, body.code]).toEqual([503, 'DATABASE_UNAVAILABLE']);
    expect(body.error).toMatch(/whether this was saved is not certain/);
  }
  proxy.interfere(() => 'pass');
  await expect.poll(ids).toEqual(['kept']);
});

test('an upload keeps its content when it is uncertain whether its row was committed', async () => {
  const storage = await buildTestStorage({ engine: openBehindProxy() });
  onTestFinished(() => storage.close());
  const upload = (path: string) =>
    storage.app.request(
      '/api/storage/journal/upload',
      buildUpload({ bytes: Buffer.alloc(1_000, path), path, as: 'user_ana' }),
    );
  expect((await upload('first.bin')).status).toBe(200);
  proxy.interfere(once(/COMMIT/, 'cut after it'));
  expect((await upload('kept.bin')).status).toBe(503);
  proxy.interfere(() => 'pass');
  await expect
    .poll(async () => {
      const response = await storage.app.request('/storage/journal/kept.bin');
      return [response.status, (await response.arrayBuffer()).byteLength];
    })
    .toEqual([200, 1_000]);
});

test('clients fetch anew after a commit that is uncertain, once the database responds again', async () => {
  const accounts = await buildTestAuth();
  onTestFinished(() => accounts.close());
  const projects = new Map(accounts.projects);
  const journal = projects.get('journal');
  if (!journal) throw new Error('There is a project.');
  projects.set('journal', { ...journal, database: library.database });
  const { open } = await openTestRealtime({
    accounts: { auth: accounts.auth, projects },
    definition: { announce: () => [] },
  });
  const socket = await open();
  socket.send('subscribe', { channel: 'public:a' });
  await socket.next('subscribed');
  let isAway = false;
  proxy.interfere((sent) => {
    if (isAway) return 'cut';
    isAway = /COMMIT/.test(sent);
    return isAway ? 'cut after it' : 'pass';
  });
  expect((await create('kept')).status).toBe(503);
  expect((await library.service('GET', 'books')).status).toBe(503);
  expect(socket.of('resync')).toEqual([]);
  proxy.interfere(() => 'pass');
  await expect.poll(() => socket.of('resync')).toHaveLength(1);
  expect(await ids()).toEqual(['kept']);
});

test('a cached list is read again after a commit that is uncertain', async () => {
  for (const _ of ['asked', 'kept']) expect(await ids()).toEqual([]);
  proxy.interfere(once(/COMMIT/, 'cut after it'));
  await create('kept');
  await expect.poll(ids).toEqual(['kept']);
});

test('a service’s statement is committed once when its connection ends', async () => {
  const { writer } = library.database;
  const row = { ...buildBook({}), shelf: 0, created_at: 1, updated_at: 1 };
  proxy.interfere(once(/insert into "books"/, 'cut after it'));
  await writer
    .insertInto('books')
    .values({ ...row, id: 'a' })
    .execute();
  proxy.interfere(once(/COMMIT/, 'cut'));
  await expect(
    writer
      .insertInto('books')
      .values({ ...row, id: 'b' })
      .execute(),
  ).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
  });
  proxy.interfere(() => 'pass');
  expect(await ids()).toEqual(['a']);
});

test('a read succeeds when its connection ends', async () => {
  await create('a');
  for (const what of ['cut', 'cut after it'] as const) {
    proxy.interfere(once(/FROM "books"/, what));
    expect(await ids()).toEqual(['a']);
  }
});
