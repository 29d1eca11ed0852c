import {
  openTestDatabase,
  type SendTestRequest,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import {
  buildBook,
  buildUser,
  library,
  libraryTables,
} from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allOf, anyOf, callerId, equals, everyRow, not, permitted, through } from '../../core/filter.ts';
import type { Table } from '../../core/project.ts';
import { defineProject } from '../../project-database.ts';

const { books, loans } = libraryTables as Record<'books' | 'loans', Table>;
const own = equals('user_id', callerId);

/** The role alone decides, except that everybody may update their own books and end their own loans. */
const definition = defineProject({
  ...library,
  roles: {
    visitor: { permissions: [] },
    reader: { permissions: ['books.read'] },
    author: { permissions: ['books.create'], inherits: ['reader'] },
    keeper: { permissions: ['books'] },
    // These two inherit from each other, which must not recurse forever.
    left: { permissions: ['books.read'], inherits: ['right'] },
    right: { permissions: ['books.update'], inherits: ['left'] },
    admin: { permissions: ['*'] },
  },
  signUpRole: 'visitor',
  tables: {
    ...libraryTables,
    books: {
      ...books,
      policies: {
        anonymous: { read: permitted('books.read') },
        signedIn: {
          read: permitted('books.read'),
          create: allOf(own, permitted('books.create')),
          update: { where: anyOf(own, permitted('books.update')), columns: ['title'] },
          delete: allOf(permitted('books.delete'), not(equals('shelf', 9))),
        },
      },
    },
    loans: {
      ...loans,
      policies: {
        signedIn: {
          read: everyRow,
          create: everyRow,
          delete: anyOf(own, through('book_id', 'books', permitted('books.lend'))),
        },
      },
    },
  },
});

const roles = [
  'anonymous',
  'visitor',
  'reader',
  'author',
  'keeper',
  'left',
  'right',
  'admin',
  'gone',
  'service',
];

let db: TestDatabase;

beforeEach(async () => {
  db = await openTestDatabase(definition);
  const body = roles.flatMap((role) => [
    buildBook({ id: `of-${role}`, user_id: role }),
    buildBook({ id: `for-${role}` }),
    buildBook({ id: `protected-${role}`, shelf: 9 }),
  ]);
  expect((await db.service('POST', 'books', { body })).status).toBe(201);
  const lent = roles.map((role) => ({ id: `to-${role}`, book_id: `of-${role}`, user_id: 'somebody' }));
  expect((await db.service('POST', 'loans', { body: lent })).status).toBe(201);
});

afterEach(() => db.close());

function as(role: string): SendTestRequest {
  if (role === 'anonymous') return db.anonymous;
  return role === 'service' ? db.service : db.as(buildUser(role, role));
}

test.each([
  // In this order: read, create, update own, update another's, delete, delete a protected book, end a loan
  ['anonymous', [401, 401, 401, 401, 401, 401, 401]],
  ['visitor', [403, 403, 403, 403, 403, 403, 403]],
  ['reader', [200, 403, 204, 403, 403, 403, 403]],
  ['author', [200, 201, 204, 403, 403, 403, 403]],
  ['keeper', [200, 201, 204, 204, 204, 403, 204]],
  ['left', [200, 403, 204, 204, 403, 403, 403]],
  ['right', [200, 403, 204, 204, 403, 403, 403]],
  ['admin', [200, 201, 204, 204, 204, 403, 204]],
  // An account may have a role that the project no longer defines.
  ['gone', [403, 403, 403, 403, 403, 403, 403]],
  ['service', [200, 201, 204, 204, 204, 204, 204]],
])('a caller may do what the permissions of its role allow: %s', async (role, expected) => {
  const send = as(role);
  const responses = [
    await send('GET', 'books'),
    await send('POST', 'books', { body: buildBook({ user_id: role }) }),
    await send('PATCH', `books?id=eq.of-${role}`, { body: { title: 'Other' } }),
    await send('PATCH', `books?id=eq.for-${role}`, { body: { title: 'Other' } }),
    await send('DELETE', `books?id=eq.for-${role}`),
    await send('DELETE', `books?id=eq.protected-${role}`),
    await send('DELETE', `loans?id=eq.to-${role}`),
  ];
  expect(responses.map(({ status }) => status)).toEqual(expected);
});

test('a closed operation is refused before its rows are validated', async () => {
  const badRow = { body: { id: 'of-admin', colour: 5 } };
  expect((await as('reader')('POST', 'books', badRow)).body.code).toBe('FORBIDDEN');
  expect((await as('author')('POST', 'books', badRow)).body.code).toBe('UNKNOWN_COLUMN');
});
