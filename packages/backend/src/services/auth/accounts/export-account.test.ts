import { openTestAccounts, type TestAccounts } from '@fabrica/backend/testing/auth/build-test-accounts.ts';
import { buildBook } from '@fabrica/backend/testing/database/build-test-library.ts';
import { fixedKey } from '@fabrica/backend/testing/fixed-key.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordEvent } from '../audit.ts';
import { authWriter, findUser } from '../queries.ts';
import { openSession } from '../sessions/open-session.ts';
import { exportAccount } from './export-account.ts';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

let library: TestAccounts;

beforeEach(async () => {
  library = await openTestAccounts();
  const created_at = Date.UTC(2030, 0, 1);
  await library.createAccount('ada', { password_hash: '$argon2id$secret', language: 'de', created_at });
  await library.createAccount('ben');
});

afterEach(() => library.close());

async function partsOf(userId: string): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of exportAccount({ project: library.project, userId })) parts.push(part);
  return parts;
}

async function create(table: string, rows: readonly unknown[]): Promise<void> {
  expect((await library.service('POST', table, { body: rows })).status).toBe(201);
}

/** Writes what sign-in, a provider and an upload leave behind. */
async function leaveTraces(userId: string): Promise<void> {
  const times = { created_at: 1, updated_at: 2 };
  await authWriter(library.database)
    .transaction()
    .execute(async (transaction) => {
      const user = await findUser(transaction, userId);
      if (!user) throw new Error(`There is no account "${userId}".`);
      const context = {
        keys: { refreshKeys: fixedKey(Buffer.alloc(32)) },
        settings: { secondFactorRoles: [] },
      };
      const signIn = { user, method: 'password', ip: null, device: 'Firefox, Linux' } as const;
      await openSession(context, transaction, library.project, signIn);
      const details = { provider: 'google' };
      const [ip, device] = ['203.0.113.7', null];
      await recordEvent(transaction, { event: 'provider-linked', userId, ip, device, details });
      await transaction
        .insertInto('second_factors')
        .values({
          id: `factor-${userId}`,
          user_id: userId,
          kind: 'totp',
          name: 'Phone',
          created_at: 3,
          secret: 'a secret',
          counter: 0,
        })
        .execute();
      await transaction
        .insertInto('identities')
        .values({
          provider: 'google',
          subject: `at-google-${userId}`,
          user_id: userId,
          email: null,
          created_at: 3,
        })
        .execute();
    });
  await library.database.writer
    .insertInto('files')
    .values({
      path: `photos/${userId} 1.png`,
      blob: `library/secret-${userId}`,
      user_id: userId,
      content_type: 'image/png',
      size: 5,
      hash: 'ab',
      ...times,
    })
    .execute();
}

test('an export is one JSON document with everything of the account and nothing of others', async () => {
  for (const id of ['ada', 'ben']) await leaveTraces(id);
  await create('books', [
    buildBook({ id: 'b-ada', user_id: 'ada', title: 'Ä "quoted"\n\u2028 title', author: null, pages: 7 }),
    buildBook({ id: 'b-ben', user_id: 'ben' }),
  ]);
  await create('loans', [{ id: 'l-ada', book_id: 'b-ben', user_id: 'ada' }]);
  const text = (await partsOf('ada')).join('');
  const document = JSON.parse(text);
  // Both happened in one millisecond, perhaps.
  document.events.sort((one: { event: string }, other: { event: string }) =>
    one.event < other.event ? 1 : -1,
  );
  expect(document).toEqual({
    exportedAt: ISO,
    project: 'library',
    account: {
      id: 'ada',
      email: 'ada@example.org',
      displayName: 'ada',
      photoURL: null,
      emailVerified: false,
      role: 'member',
      createdAt: '2030-01-01T00:00:00.000Z',
      lastSignInAt: ISO,
      language: 'de',
      disabledAt: null,
    },
    sessions: [
      {
        id: expect.any(String),
        method: 'password',
        device: 'Firefox, Linux',
        createdAt: ISO,
        lastUsedAt: ISO,
      },
    ],
    factors: [
      {
        id: 'factor-ada',
        kind: 'totp',
        name: 'Phone',
        createdAt: '1970-01-01T00:00:00.003Z',
        lastUsedAt: null,
      },
    ],
    identities: [
      { provider: 'google', subject: 'at-google-ada', email: null, createdAt: '1970-01-01T00:00:00.003Z' },
    ],
    events: [
      {
        at: ISO,
        event: 'sign-in',
        address: null,
        device: 'Firefox, Linux',
        details: { method: 'password' },
      },
      {
        at: ISO,
        event: 'provider-linked',
        address: expect.stringContaining('203.0.113'),
        device: null,
        details: { provider: 'google' },
      },
    ],
    files: [
      {
        path: 'photos/ada 1.png',
        publicPath: '/storage/library/photos/ada%201.png',
        contentType: 'image/png',
        size: 5,
        createdAt: '1970-01-01T00:00:00.001Z',
      },
    ],
    tables: {
      books: [
        {
          id: 'b-ada',
          user_id: 'ada',
          title: 'Ä "quoted"\n\u2028 title',
          author: null,
          pages: 7,
          shelf: 0,
          created_at: expect.any(Number),
          updated_at: expect.any(Number),
        },
      ],
      loans: [{ id: 'l-ada', book_id: 'b-ben', user_id: 'ada', user_name: null }],
      reviews: [],
    },
  });
  expect(text).not.toMatch(/argon2|secret|at-google-ben/);
});

test('an export of thousands of rows comes in parts with each row once, whatever is written in the meantime', async () => {
  const all = Array.from({ length: 2_030 }, (_, at) => `b-${String(at).padStart(5, '0')}`);
  for (let at = 0; at < all.length; at += 1_000) {
    await create(
      'books',
      all.slice(at, at + 1_000).map((id) => buildBook({ id, user_id: 'ada', author: 'x'.repeat(40) })),
    );
  }
  const parts: string[] = [];
  for await (const part of exportAccount({ project: library.project, userId: 'ada' })) {
    parts.push(part);
    if (parts.length % 10 === 0) {
      await create('books', [buildBook({ id: `a-${parts.length}`, user_id: 'ada' })]);
      await create('books', [buildBook({ id: `c-${parts.length}`, user_id: 'ada' })]);
    }
  }
  const { tables } = JSON.parse(parts.join(''));
  expect(tables.books.map(({ id }: { id: string }) => id)).toEqual(all);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(10_000);
});

test('a row that is deleted while the account is exported is left out', async () => {
  await create(
    'books',
    Array.from({ length: 60 }, (_, at) => buildBook({ id: `b-${at}`, user_id: 'ada' })),
  );
  const parts: string[] = [];
  for await (const part of exportAccount({ project: library.project, userId: 'ada' })) {
    parts.push(part);
    if (part.includes('"b-0"')) await library.service('DELETE', 'books?id=neq.b-0');
  }
  const { tables } = JSON.parse(parts.join(''));
  expect(tables.books).toHaveLength(25);
});

test('an account without rows is exported, and one that does not exist gets USER_NOT_FOUND', async () => {
  expect(JSON.parse((await partsOf('ben')).join(''))).toMatchObject({
    account: { id: 'ben' },
    sessions: [],
    files: [],
    tables: { books: [], loans: [], reviews: [] },
  });
  await expect(partsOf('nobody')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
});
