import {
  openTestDatabase,
  type SendTestRequest,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildUser, library, libraryTables } from '@fabrica/backend/testing/database/build-test-library.ts';
import type { TestResponse } from '@fabrica/backend/testing/test-response.ts';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createInProcessBus } from '../../../core/bus.ts';
import { equals, everyRow } from '../../../core/filter.ts';
import type { ProjectDefinition, Table, WriteLimits } from '../../../core/project.ts';
import type { TablePlan } from '../../../database/port.ts';
import { ServicePlans, writeAndPublish } from '../../../database/write/service-plans.ts';
import { defineProject } from '../../../project-database.ts';

const { books, loans } = libraryTables as Record<'books' | 'loans', Table>;
const policies = {
  anonymous: { read: everyRow, create: equals('user_id', 'nobody') },
  signedIn: { ...books.policies.signedIn },
};

/** Defines the library with these limits on books, and three loans of each book an hour. */
function limitedLibrary(limits: WriteLimits): ProjectDefinition {
  const title = { type: 'text', min: 1, max: 5_000 } as const;
  return defineProject({
    ...library,
    tables: {
      ...libraryTables,
      books: { ...books, columns: { ...books.columns, title }, limits, policies },
      loans: { ...loans, limits: { rowsPerHour: { book_id: 3 } } },
    },
  });
}

let db: TestDatabase;
afterEach(() => db.close());

async function open(limits: WriteLimits, { rowsQuota = 0, rateLimit = true } = {}): Promise<void> {
  db = await openTestDatabase(limitedLibrary(limits), undefined, { rateLimit, rowsQuota });
}

const book = (id: string, title = 'Heart') => ({ id, user_id: 'ada', title });
const shelf = (from: number, count: number, title?: string) =>
  Array.from({ length: count }, (_, index) => book(`b${from + index}`, title));

const UPSERT = { prefer: 'resolution=merge-duplicates' };

/** Ways to write `count` rows with a title, of which the caller's books `b0` to `b9` exist. */
const WAYS: [string, (send: SendTestRequest, count: number, title: string) => Promise<TestResponse>][] = [
  [
    'a POST of many rows',
    (send, count, title) =>
      send('POST', 'books', { body: Array.from({ length: count }, () => ({ user_id: 'ada', title })) }),
  ],
  [
    'an upsert of new rows',
    (send, count, title) => send('POST', 'books', { body: shelf(100, count, title), headers: UPSERT }),
  ],
  [
    'an upsert of rows that exist',
    (send, count, title) => send('POST', 'books', { body: shelf(0, count, title), headers: UPSERT }),
  ],
];

const rateLimited = (seconds: number) => ({
  status: 429,
  body: expect.objectContaining({ code: 'RATE_LIMITED', error: expect.stringMatching(/Please (wait|try)/) }),
  retryAfter: expect.toSatisfy((value: number) => value > 0 && value <= seconds),
});
const seen = ({ status, body, headers }: TestResponse) => ({
  status,
  body,
  retryAfter: Number(headers.get('retry-after')),
});

describe('the rows of an account in a minute', () => {
  test.each(WAYS)('are limited when they are sent by %s', async (_, write) => {
    await open({ rowsPerMinute: 8 });
    await db.service('POST', 'books', { body: shelf(0, 10) });
    const ada = db.as(buildUser('ada'));
    expect((await write(ada, 8, 'Lung')).status).toBeLessThan(300);
    expect(seen(await write(ada, 1, 'Liver'))).toEqual(rateLimited(60));
    expect((await db.service('GET', 'books?title=eq.Liver')).body).toEqual([]);
    const ben = { ...book('of-ben'), user_id: 'ben' };
    expect((await db.as(buildUser('ben'))('POST', 'books', { body: ben })).status).toBe(201);
    expect((await write(db.service, 10, 'Liver')).status).toBeLessThan(300);
  });

  test('are limited for updates, and by the rows that they change', async () => {
    await open({ rowsPerMinute: 8 });
    await db.service('POST', 'books', { body: shelf(0, 10) });
    const ada = db.as(buildUser('ada'));
    expect((await ada('PATCH', 'books?shelf=eq.0', { body: { title: 'Lung' } })).status).toBe(204);
    const more = await ada('PATCH', 'books?id=eq.b1', { body: { title: 'Liver' } });
    expect(seen(more)).toEqual(rateLimited(60));
  });

  test('are limited for deletions and for requests that are refused', async () => {
    await open({ rowsPerMinute: 4 });
    const ada = db.as(buildUser('ada'));
    for (const body of ['{', [], { id: '?' }]) await ada('POST', 'books', { body });
    expect((await ada('DELETE', 'books?id=eq.b1')).status).toBe(204);
    expect(seen(await ada('DELETE', 'books?id=eq.b1'))).toEqual(rateLimited(60));
    expect((await ada('GET', 'books')).status).toBe(200);
  });

  test('are limited by IP address without an account', async () => {
    await open({ rowsPerMinute: 2 });
    const add = (ip: string) =>
      db.anonymous('POST', 'books', { body: { user_id: 'nobody', title: 'x' }, headers: { 'x-ip': ip } });
    for (const ip of ['2001:db8::1', '2001:db8::2']) expect((await add(ip)).status).toBe(201);
    expect(seen(await add('2001:db8::3'))).toEqual(rateLimited(60));
    expect((await add('192.0.2.7')).status).toBe(201);
  });

  test('may be 1,000 by default', async () => {
    await open({});
    const ada = db.as(buildUser('ada'));
    expect((await ada('POST', 'books', { body: shelf(0, 999) })).status).toBe(201);
    expect(seen(await ada('POST', 'books', { body: shelf(2_000, 2) }))).toEqual(rateLimited(60));
  });

  test('may be any number when rate limits are off', async () => {
    await open({ rowsPerMinute: 1, bytesPerMinute: 1 }, { rateLimit: false, rowsQuota: 1 });
    const ada = db.as(buildUser('ada'));
    for (const from of [0, 10])
      expect((await ada('POST', 'books', { body: shelf(from, 5) })).status).toBe(201);
  });
});

describe('the bytes of an account', () => {
  const long = 'é'.repeat(2_000);

  test.each(WAYS)('are limited in a minute when they are sent by %s', async (_, write) => {
    await open({ bytesPerMinute: 9_000 });
    await db.service('POST', 'books', { body: shelf(0, 10) });
    const ada = db.as(buildUser('ada'));
    expect((await write(ada, 2, long)).status).toBeLessThan(300);
    expect(seen(await write(ada, 1, long))).toEqual(rateLimited(60));
  });

  test.each<(typeof WAYS)[number]>([
    ...WAYS,
    [
      'an update of many rows',
      (send, count, title) => send('PATCH', `books?shelf=eq.0&limit=${count}`, { body: { title } }),
    ],
  ])('are limited in a day when they are written by %s', async (_, write) => {
    await open({}, { rowsQuota: 10_000 });
    await db.service('POST', 'books', { body: shelf(0, 10) });
    const ada = db.as(buildUser('ada'));
    expect((await write(ada, 2, long)).status).toBeLessThan(300);
    const refused = await write(ada, 1, long.replaceAll('é', 'è'));
    expect(seen(refused)).toEqual(rateLimited(86_400));
    expect(refused.body.error).toBe(
      'You have written the 0.1 MB that an account may write in a day. Please try again tomorrow.',
    );
    expect((await db.service('GET', `books?title=like.è*&select=id`)).body).toEqual([]);
    expect((await write(db.service, 5, long)).status).toBeLessThan(300);
    const ben = { ...book('of-ben', long), user_id: 'ben' };
    expect((await db.as(buildUser('ben'))('POST', 'books', { body: ben })).status).toBe(201);
  });

  test('are limited in a day for calls at the same time, and may be written again the next day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 12) });
    onTestFinished(() => void vi.useRealTimers());
    await open({}, { rowsQuota: 10_000 });
    const ada = db.as(buildUser('ada'));
    const add = (id: number) => ada('POST', 'books', { body: book(`n${id}`, long) });
    const responses = await Promise.all([0, 1, 2, 3, 4, 5].map(add));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    expect((await db.service('GET', 'books?select=id')).body).toHaveLength(2);
    const refused = await add(6);
    expect(refused.headers.get('retry-after')).toBe(String(12 * 3_600));
    vi.setSystemTime(Date.UTC(2026, 10, 22, 0, 0, 1));
    expect((await add(7)).status).toBe(201);
  });

  test('count for the day in the database, so that a restart forgets nothing', async () => {
    await open({}, { rowsQuota: 10_000 });
    const ada = db.as(buildUser('ada'));
    expect((await ada('POST', 'books', { body: shelf(0, 2, long) })).status).toBe(201);
    const elsewhere = await db.openElsewhere();
    const rows = await elsewhere.reader.selectFrom('written_bytes').selectAll().execute();
    expect(rows).toEqual([{ user_id: 'ada', day: expect.any(Number), bytes: expect.any(Number) }]);
    expect(rows[0]?.bytes).toBeGreaterThan(8_000);
  });

  test('are limited in a day by IP address without an account', async () => {
    await open({}, { rowsQuota: 10_000 });
    const add = () => db.anonymous('POST', 'books', { body: { user_id: 'nobody', title: long } });
    for (const status of [201, 201, 429]) expect((await add()).status).toBe(status);
  });
});

test('new rows with the same value in a column are limited in an hour', async () => {
  await open({});
  await db.service('POST', 'books', { body: shelf(0, 2) });
  const lend = (account: string, loan: object[]) =>
    db.as(buildUser(account))('POST', 'loans', { body: loan });
  const loan = (id: string, book_id: string, user_id = 'ada') => ({ id, book_id, user_id, user_name: null });
  expect((await lend('ada', [loan('l1', 'b0'), loan('l2', 'b0'), loan('l3', 'b1')])).status).toBe(201);
  expect((await lend('ada', [loan('l4', 'b0')])).status).toBe(200);
  expect(seen(await lend('ada', [loan('l5', 'b0')]))).toEqual(rateLimited(3_600));
  expect((await lend('ada', [loan('l6', 'b1')])).status).toBe(200);
  expect((await lend('ben', [loan('l7', 'b0', 'ben')])).status).toBe(201);
});

test('what a service lets rows grow by counts for the day of its account, and what it writes over does not', async () => {
  await open({}, { rowsQuota: 1_000 });
  const project = { definition: limitedLibrary({}), database: db.database, secretKey: 'sk_test' };
  const plans = new ServicePlans(project, () => 1_000);
  const quota = { userId: 'ben', now: 1_000, bytes: 1_200 };
  const write = (all: TablePlan[], counted = true) =>
    writeAndPublish(project, createInProcessBus(), { plans: all, quota: counted ? quota : undefined });
  const create = (id: string) => plans.create('books', { id, user_id: 'ben', title: 'Lung' });
  await write([create('b2')]);
  for (let turn = 0; turn < 20; turn += 1) {
    const changes = { title: turn % 2 === 0 ? 'A lung' : 'Livers' };
    await write([plans.update('books', equals('id', 'b2'), { changes, single: true })]);
  }
  await write([create('b3')]);
  await expect(write([create('b4'), create('b5')])).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const ids = async () =>
    (await db.service('GET', 'books?select=id')).body.map(({ id }: { id: string }) => id);
  expect((await ids()).sort()).toEqual(['b2', 'b3']);
  await write([await plans.delete('books', equals('id', 'b2'), { single: true })]);
  await write([create('b4'), create('b5')], false);
  expect(await ids()).toHaveLength(3);
});
