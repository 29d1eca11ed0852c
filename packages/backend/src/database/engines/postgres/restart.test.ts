import { setTimeout as wait } from 'node:timers/promises';
import type { TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook } from '@fabrica/backend/testing/database/build-test-library.ts';
import {
  startTestPostgres,
  type TestPostgres,
  withPostgresClient,
} from '@fabrica/backend/testing/database/build-test-postgres.ts';
import type { StopMode } from '@fabrica/test-peers/postgres-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let server: TestPostgres;
let library: TestDatabase;

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.close());

beforeEach(async () => {
  library = await server.openLibrary();
  await library.database.writer.deleteFrom('books').execute();
});
afterEach(() => library.close());

const soon = { timeout: 30_000 };

/** A response while the server is unavailable. */
const CLEAR = {
  status: 503,
  body: { code: 'DATABASE_UNAVAILABLE', error: expect.stringContaining('cannot be reached at the moment') },
};

describe.each<StopMode>(['fast', 'immediate'])('a restart of the server (%s)', (mode) => {
  test('a restart of the server loses no confirmed write, and reads and writes work again at once', async () => {
    await library.service('POST', 'books', { body: buildBook({ id: 'first' }) });
    let going = true;
    const written: string[] = [];
    const failures: unknown[] = [];
    const write = async (worker: number) => {
      for (let at = 0; going; at += 1) {
        const id = `w${worker}-${at}`;
        const response = await library.service('POST', 'books', { body: buildBook({ id }) });
        if (response.status === 201) written.push(id);
        else {
          failures.push(response);
          expect(response.headers.get('retry-after')).toBe('1');
          await wait(20);
        }
      }
    };
    const read = async () => {
      while (going) {
        const response = await library.anonymous('GET', 'books?id=eq.first');
        if (response.status === 200) expect(response.body).toHaveLength(1);
        else failures.push(response);
        // Cached responses return at once.
        await wait(response.status === 200 ? 1 : 20);
      }
    };
    const traffic = [...[1, 2, 3, 4].map(write), ...[1, 2, 3, 4].map(read)];
    await expect.poll(() => written.length, soon).toBeGreaterThan(50);
    await server.stop(mode);
    await wait(300);
    const before = written.length;
    await server.start();
    await expect.poll(() => written.length, soon).toBeGreaterThan(before + 50);
    going = false;
    await Promise.all(traffic);

    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toMatchObject(CLEAR);
    const { body } = await library.service('GET', 'books?select=id&limit=10000');
    const there = new Set(body.map(({ id }: { id: string }) => id));
    expect(written.filter((id) => !there.has(id))).toEqual([]);
  });
});

test('requests succeed after the server has ended idle connections', async () => {
  const { service } = library;
  expect((await service('POST', 'books', { body: buildBook({ id: 'a' }) })).status).toBe(201);
  expect((await service('GET', 'books')).status).toBe(200);
  for (const _ of ['once', 'again']) {
    await withPostgresClient(server.url, (superuser) =>
      superuser.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'fabrica.%'`,
      ),
    );
    const [one, other, write] = await Promise.all([
      service('GET', 'books'),
      service('GET', 'books?id=eq.a'),
      service('PATCH', 'books?id=eq.a', { body: { pages: 3 } }),
    ]);
    expect([one.status, other.status, write.status]).toEqual([200, 200, 204]);
  }
});

test('a service’s transaction whose connection ends throws and has written nothing', async () => {
  const { writer } = library.database;
  const transaction = writer.transaction().execute(async (open) => {
    await open
      .insertInto('books')
      .values({ ...buildBook({ id: 'b' }), shelf: 0, created_at: 1, updated_at: 1 })
      .execute();
    await withPostgresClient(server.url, (superuser) =>
      superuser.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'`,
      ),
    );
    await open.deleteFrom('books').execute();
  });
  await expect(transaction).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  expect((await library.service('GET', 'books')).body).toEqual([]);
  await writer.deleteFrom('books').execute();
});

test('no response is cached while the notifications are interrupted, and all are read again afterwards', async () => {
  const { database } = library;
  const elsewhere = await library.openElsewhere();
  await server.stop('immediate');
  await expect.poll(() => database.version(), soon).toBeUndefined();
  const interrupted = database.foreignCommits();
  expect(database.foreignCommits()).not.toBe(interrupted);
  await server.start();
  await expect.poll(() => database.version(), soon).toBeDefined();
  const resumed = database.foreignCommits();
  expect(resumed).toBeGreaterThan(interrupted);
  expect(database.foreignCommits()).toBe(resumed);
  await elsewhere.writer
    .insertInto('books')
    .values({ ...buildBook({ id: 'a' }), shelf: 0, created_at: 1, updated_at: 1 })
    .execute();
  await expect.poll(() => database.foreignCommits()).toBeGreaterThan(resumed);
});

describe('a server that hangs', () => {
  test('a server that hangs delays a request by some seconds, and serves it again once it resumes', async () => {
    const { service } = library;
    await service('POST', 'books', { body: buildBook({ id: 'a' }) });
    server.pause();
    const responses = await Promise.all([
      ...Array.from({ length: 20 }, (_, at) => service('GET', `books?limit=${at + 1}`)),
      service('GET', 'books?select=id'),
    ]);
    for (const response of responses) expect(response).toMatchObject(CLEAR);
    server.resume();
    await expect.poll(async () => (await service('GET', 'books')).status, soon).toBe(200);
    expect((await service('PATCH', 'books?id=eq.a', { body: { pages: 1 } })).status).toBe(204);
  });

  test('a server that hangs does not keep a process from ending', async () => {
    await library.service('GET', 'books');
    server.pause();
    const pending = library.service('GET', 'books?limit=3');
    await library.database.close();
    expect(await pending).toMatchObject(CLEAR);
    server.resume();
  });
});
