import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook, library as definition } from '@fabrica/backend/testing/database/build-test-library.ts';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A view whose rows take a minute each. */
const slow: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`CREATE VIEW slow AS SELECT books.id FROM books, LATERAL pg_sleep(60)`.execute(db);
  },
};

let library: TestDatabase;

beforeEach(async () => {
  library = await openTestDatabase({
    ...definition,
    tables: {
      ...definition.tables,
      slow: { view: true, columns: { id: { type: 'text', max: 60 } }, policies: {} },
    },
    migrations: { ...definition.migrations, '0002-slow': slow },
  });
  await library.service('POST', 'books', { body: buildBook({ id: 'a' }) });
});
afterEach(() => library.close());

const book = (id: string) => ({ ...buildBook({ id }), shelf: 0, created_at: 1, updated_at: 1 });

describe('a read that takes too long', () => {
  test('the server ends a read that takes too long, and the next read succeeds', async () => {
    const { database, service } = library;
    const slow = [1, 2, 3].map(() => database.query('SELECT pg_sleep(60)', []));
    const failed = { status: 'rejected', reason: expect.objectContaining({ code: 'STATEMENT_TIMEOUT' }) };
    expect(await Promise.allSettled(slow)).toEqual([failed, failed, failed]);
    expect((await service('GET', 'books')).body).toHaveLength(1);
  });

  test('a read that takes too long is a 503 without any SQL in the message', async () => {
    const { status, body } = await library.service('GET', 'slow');
    expect([status, body.code]).toEqual([503, 'STATEMENT_TIMEOUT']);
    expect(body.error).not.toMatch(/statement|select|cancel/i);
  });

  test('a read of a service has a longer timeout', async () => {
    const { reader } = library.database;
    const rows = await reader
      .selectFrom('books')
      .select(({ fn, val }) => ['id', fn('pg_sleep', [val(1.5)]).as('slept')])
      .execute();
    expect(rows).toMatchObject([{ id: 'a' }]);
  });
});

describe('more reads than connections', () => {
  test('more reads than connections are served one after the other', async () => {
    // Few enough that none waits for the 5 s after which it is refused, on a busy machine either.
    const responses = await Promise.all(
      Array.from({ length: 90 }, (_, at) =>
        at % 3
          ? library.service('GET', `books?limit=${at + 1}`)
          : library.service('PATCH', 'books?id=eq.a', { body: { pages: at } }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 204]));
  });

  test('reads that have waited too long for a connection, or are too many, are asked to retry', async () => {
    const { database, service } = library;
    const kept = Array.from({ length: 20 }, () =>
      (database.query('SELECT pg_sleep(0.9)', []) as Promise<unknown>).catch((error) => error.code),
    );
    const late = await service('GET', 'books?limit=7');
    expect(late).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } });
    expect(late.headers.get('retry-after')).toBe('1');
    const crowd = Array.from({ length: 1_500 }, () => service('GET', `books?limit=8`));
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    await Promise.all(kept);
    expect((await service('GET', 'books?limit=9')).status).toBe(200);
  });

  test('waiting transactions do not block a read beside a service’s transaction', async () => {
    const { writer, reader } = library.database;
    const held = writer.transaction().execute(async (open) => {
      await open.updateTable('books').set({ pages: 1 }).where('id', '=', 'a').execute();
      // All of these wait for the row, or for a connection.
      const writes = Array.from({ length: 12 }, () =>
        library.service('PATCH', 'books?id=eq.a', { body: { pages: 2 } }),
      );
      const inserts = Array.from({ length: 12 }, (_, at) =>
        writer
          .insertInto('books')
          .values(book(`t${at}`))
          .execute(),
      );
      const seen = await reader.selectFrom('books').select('pages').where('id', '=', 'a').execute();
      return { seen, writes, inserts };
    });
    const { seen, writes, inserts } = await held;
    expect(seen).toEqual([{ pages: null }]);
    for (const { status } of await Promise.all(writes)) expect(status).toBe(204);
    await Promise.all(inserts);
  });
});

test('closing a database waits for running statements', async () => {
  const { database } = library;
  const slow = database.query(`SELECT id FROM books, pg_sleep(0.3) WHERE id = 'a'`, []);
  const written = database.writer.insertInto('books').values(book('b')).execute();
  await database.close();
  expect(await slow).toEqual([{ id: 'a' }]);
  await written;
});
