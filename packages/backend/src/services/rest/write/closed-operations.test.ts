import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import {
  buildBook,
  buildUser,
  library,
  libraryTables,
} from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callerId, equals, not } from '../../../core/filter.ts';

let db: TestDatabase;

const book = { user_id: 'ada', title: 'Heart' };

beforeEach(async () => {
  db = await openTestDatabase(library);
});

afterEach(() => db.close());

describe('closed operations', () => {
  test('an operation that a role’s policy lacks is closed, and roles named service or constructor open nothing', async () => {
    const guest = db.as(buildUser('gil', 'guest'));
    expect((await guest('GET', 'books')).status).toBe(200);
    expect((await guest('POST', 'books', { body: { ...book, user_id: 'gil' } })).status).toBe(403);
    expect((await db.as(buildUser('eve', 'service'))('GET', 'notes')).status).toBe(403);
    expect((await db.as(buildUser('eve', 'constructor'))('GET', 'notes')).status).toBe(403);
  });

  test('an anonymous caller satisfies neither a policy on the caller’s id nor its negation', async () => {
    const own = equals('user_id', callerId);
    const books = { ...libraryTables.books, columns: libraryTables.books?.columns ?? {} };
    const definition = {
      ...library,
      tables: {
        ...libraryTables,
        books: { ...books, policies: { anonymous: { read: own }, other: { read: not(own) } } },
      },
    };
    const strict = await openTestDatabase(definition);
    await strict.service('POST', 'books', {
      body: [buildBook({ id: 'x' }), buildBook({ id: 'null', user_id: 'null' })],
    });
    expect((await strict.anonymous('GET', 'books')).body).toEqual([]);
    expect((await strict.as(buildUser('ada', 'other'))('GET', 'books')).body).toMatchObject([{ id: 'null' }]);
    await strict.close();
  });

  test('a write to a view is a 405', async () => {
    const { status, body } = await db.service('POST', 'titles', { body: { id: 'x', title: 'y' } });
    expect([status, body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    await db.service('POST', 'books', { body: buildBook({ id: 'x', title: 'Seen' }) });
    expect((await db.anonymous('GET', 'titles')).body).toEqual([{ id: 'x', title: 'Seen' }]);
  });
});
