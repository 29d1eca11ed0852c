import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import {
  buildBook,
  buildUser,
  library as definition,
} from '@fabrica/backend/testing/database/build-test-library.ts';
import { connectForTest } from '@fabrica/backend/testing/database/connect-for-test.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../port.ts';
import { schemaOf } from '../../schema.ts';
import { ServicePlans } from '../../write/service-plans.ts';
import { createPostgresEngine } from './postgres-engine.ts';
import { schemaName } from './roles/names.ts';
import { counterIn } from './roles/prepare-project.ts';

let library: TestDatabase;
/** The same database, as another process opens it. */
let elsewhere: Database;

beforeEach(async () => {
  library = await openTestDatabase(definition);
  elsewhere = await library.openElsewhere();
  await library.service('POST', 'books', { body: [buildBook({ id: 'a' }), buildBook({ id: 'b' })] });
  library.events.length = 0;
});
afterEach(() => library.close());

const book = (id: string) => ({ ...buildBook({ id }), shelf: 0, created_at: 1, updated_at: 1 });
const representation = { prefer: 'return=representation' };

describe('concurrent writes', () => {
  test('concurrent inserts of a row that is unique per user create one row, which all of them return', async () => {
    const ada = library.as(buildUser('ada'));
    const responses = await Promise.all(
      Array.from({ length: 12 }, () =>
        ada('POST', 'loans', { body: { book_id: 'a', user_id: 'ada' }, headers: representation }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(responses.map(({ body }) => body[0].id)).size).toBe(1);
    expect(library.events.map(({ operation }) => operation)).toEqual(['create']);
  });

  test('concurrent upserts create one row, which the others update', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        library.service('POST', 'books?on_conflict=id', { body: buildBook({ id: 'new', pages: at }) }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(library.events.filter(({ operation }) => operation === 'create')).toHaveLength(1);
  });

  test('of concurrent inserts with the same id, one succeeds and the others are refused', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => library.service('POST', 'books', { body: buildBook({ id: 'once' }) })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test('each of several concurrent updates publishes the row as it was before it', async () => {
    const patch = (pages: number) => library.service('PATCH', 'books?id=eq.a', { body: { pages } });
    await Promise.all([1, 2, 3, 4, 5, 6].map(patch));
    let pages: unknown = null;
    const left = new Map(library.events.map(({ before, after }) => [before?.pages ?? null, after?.pages]));
    expect(left.size).toBe(6);
    for (let at = 0; at < 6; at += 1) pages = left.get(pages as null);
    expect((await library.service('GET', 'books?id=eq.a')).body[0].pages).toBe(pages);
  });

  test('a dependent row that is inserted during a delete is either deleted too or refused', async () => {
    const ada = library.as(buildUser('ada'));
    for (let at = 0; at < 10; at += 1) {
      const id = `c${at}`;
      await library.service('POST', 'books', { body: buildBook({ id }) });
      const [gone, loan] = await Promise.all([
        library.service('DELETE', `books?id=eq.${id}`),
        ada('POST', 'loans', { body: { book_id: id, user_id: 'ada' } }),
      ]);
      expect(gone.status).toBe(204);
      expect([201, 400]).toContain(loan.status);
    }
    expect((await library.service('GET', 'loans')).body).toEqual([]);
    const count = (operation: string) =>
      library.events.filter((event) => event.table === 'loans' && event.operation === operation).length;
    expect(count('delete')).toBe(count('create'));
  });

  test('concurrent writes that deadlock all succeed', async () => {
    const rows = ['a', 'b'].map((id) => buildBook({ id, title: 'Turned' }));
    const upsert = (body: unknown) => library.service('POST', 'books?on_conflict=id', { body });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        upsert((at % 2 ? rows : rows.toReversed()).map((row) => ({ ...row, pages: at }))),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('creates that share a transaction', () => {
  const create = (id: string) => library.service('POST', 'books', { body: buildBook({ id }) });
  const ids = Array.from({ length: 40 }, (_, at) => `shared-${at}`);

  const writeTo = (database: Database) => {
    const plans = new ServicePlans({ definition, database, secretKey: '' });
    return (id: string) => database.write(plans.create('books', buildBook({ id })));
  };

  /** Fails by the third plan, the first of a group. The statement of the others is prepared behind its own for the first time. */
  const writeWithOneFailure = (count: number) => {
    const { database } = library;
    const write = writeTo(database);
    const note = new ServicePlans({ definition, database, secretKey: '' }).create('notes', {
      loan_id: 'none',
    });
    return ids.slice(0, count).map((id, at) => (at === 2 ? database.write(note) : write(id)));
  };
  const expectOneFailure = async (outcomes: readonly Promise<unknown>[]) => {
    const results = await Promise.allSettled(outcomes);
    expect(results.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([2]);
  };

  test('creates that arrive at once are committed together, and each is published', async () => {
    const before = library.database.version() ?? Number.NaN;
    const responses = await Promise.all(ids.map(create));
    expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 201));
    expect((library.database.version() ?? Number.NaN) - before).toBeLessThan(ids.length / 2);
    expect(library.events.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect(await elsewhere.query('SELECT count(*) AS total FROM books', [])).toEqual([{ total: 42 }]);
  });

  test('the creates of a group that fails by another one are committed together all the same', async () => {
    const before = library.database.version() ?? Number.NaN;
    await expectOneFailure(writeWithOneFailure(ids.length));
    expect((library.database.version() ?? Number.NaN) - before).toBeLessThan(ids.length / 2);
  });

  test('creates whose commit could not be counted are not run again, and are said to be uncertain', async () => {
    const connection = await connectForTest(library.settings, definition.id);
    const counter = counterIn(schemaName(definition.id));
    await connection.run([`SELECT setval('${counter}', 9223372036854775807)`]);
    await connection.close();
    const creates = ids.map(() => library.service('POST', 'books', { body: buildBook({ title: 'Once' }) }));
    for (const { status, body } of await Promise.all(creates)) {
      expect([status, body.code]).toEqual([503, 'DATABASE_UNAVAILABLE']);
      expect(body.error).toMatch(/whether this was saved is not certain/);
    }
    expect(await elsewhere.query("SELECT count(*) AS total FROM books WHERE title = 'Once'", [])).toEqual([
      { total: ids.length },
    ]);
  });

  test('a create that waits for the lock of another transaction holds up no other create', async () => {
    const { DATABASE_URL: url = '' } = library.settings;
    // With so few connections as tests have, a write that waits for a lock has the only one.
    const database = await createPostgresEngine({ url }).open({
      id: definition.id,
      schema: schemaOf(definition),
    });
    onTestFinished(() => database.close());
    const write = writeTo(database);
    let waiting: Promise<unknown> | undefined;
    await elsewhere.writer.transaction().execute(async (open) => {
      await open.insertInto('books').values(book('locked')).execute();
      const others = ids.map((id, at) => {
        if (at === 5) waiting = expect(write('locked')).rejects.toMatchObject({ code: 'CONFLICT' });
        return write(id);
      });
      const outcomes = await Promise.all(others);
      expect(outcomes.map(({ rows }) => rows.map(({ id }) => id))).toEqual(ids.map((id) => [id]));
    });
    await waiting;
  });

  test('closing a database waits for the creates of a group that failed, which have no connection', async () => {
    const outcomes = writeWithOneFailure(34);
    await library.database.close();
    await expectOneFailure(outcomes);
  });

  test('more creates than may wait, and all that wait for no connection, are refused within seconds', async () => {
    const { database } = library;
    const write = writeTo(database);
    await database.writer.transaction().execute(async () => {
      const crowd = Array.from({ length: 1_100 }, (_, at) => write(`crowd-${at}`));
      for (const result of await Promise.allSettled(crowd)) {
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'DATABASE_UNAVAILABLE' } });
      }
    });
    expect((await create('next')).status).toBe(201);
  });
});

describe('transactions of services', () => {
  async function waitingForLock(): Promise<number> {
    const { rows } = await sql`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    `.execute(library.database.reader);
    return rows.length;
  }

  test('transactions of services run one at a time within one process and across several', async () => {
    let running = 0;
    let most = 0;
    const take = (database: Database, id: string) =>
      database.writer.transaction().execute(async (open) => {
        running += 1;
        most = Math.max(most, running);
        const { total } = await open
          .selectFrom('books')
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        await new Promise(setImmediate);
        await open
          .insertInto('books')
          .values({ ...book(id), pages: total })
          .execute();
        running -= 1;
      });
    const ids = Array.from({ length: 20 }, (_, at) => `t${at}`);
    await Promise.all(ids.map((id, at) => take(at % 2 ? library.database : elsewhere, id)));
    expect(most).toBe(1);
    const { body } = await library.service('GET', 'books?id=like.t*&order=pages&select=pages');
    expect(body).toEqual(ids.map((_, at) => ({ pages: at + 2 })));
  });

  test('a single statement of a service waits for a transaction of a service', async () => {
    let statement: Promise<unknown> | undefined;
    await library.database.writer.transaction().execute(async (open) => {
      statement = elsewhere.writer.deleteFrom('books').execute();
      await expect.poll(waitingForLock).toBe(1);
      expect(await open.selectFrom('books').selectAll().execute()).toHaveLength(2);
      await open.insertInto('books').values(book('c')).execute();
    });
    await statement;
    expect((await library.service('GET', 'books')).body).toEqual([]);
  });

  test('a transaction cannot be committed after one of its statements has failed', async () => {
    const transaction = library.database.writer.transaction().execute(async (open) => {
      await open.insertInto('books').values(book('c')).execute();
      await open
        .insertInto('books')
        .values(book('a'))
        .execute()
        .catch(() => undefined);
    });
    await expect(transaction).rejects.toThrow();
    expect((await library.service('GET', 'books')).body).toHaveLength(2);
  });
});

test('a thousand rows are inserted, found and updated in one request each', async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => buildBook({ id: `many-${at}`, pages: at }));
  const upsert = async (body: unknown) => {
    return (await library.service('POST', 'books?on_conflict=id', { body })).status;
  };
  const made = await upsert(rows);
  const found = await upsert(rows);
  const merged = await upsert(rows.map((row) => ({ ...row, title: 'Merged' })));
  expect([made, found, merged]).toEqual([201, 200, 200]);
  expect(library.events).toHaveLength(2_000);
  expect(library.events.map(({ id }) => id)).toEqual([...rows, ...rows].map(({ id }) => id));
});

test('requests go on while a change of their table waits for a long transaction', async () => {
  const snapshot = Promise.withResolvers<void>();
  const isOpen = Promise.withResolvers<void>();
  const backup = elsewhere.reader.transaction().execute(async (transaction) => {
    await sql`SELECT count(*) FROM books`.execute(transaction);
    isOpen.resolve();
    await snapshot.promise;
  });
  await isOpen.promise;
  let attempts = 0;
  const isTriedAgain = Promise.withResolvers<void>();
  const change = elsewhere.exclusively(async (transaction) => {
    attempts += 1;
    if (attempts === 3) isTriedAgain.resolve();
    await sql`ALTER TABLE books ADD COLUMN spine text`.execute(transaction);
  });
  let isOver = false;
  isTriedAgain.promise.then(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  while (!isOver) {
    statuses.push((await library.service('GET', `books?pages=lt.${statuses.length}`)).status);
    statuses.push(
      (await library.service('PATCH', 'books?id=eq.a', { body: { pages: statuses.length } })).status,
    );
  }
  snapshot.resolve();
  await Promise.all([backup, change]);
  expect(new Set(statuses)).toEqual(new Set([200, 204]));
  expect(attempts).toBeGreaterThan(2);
});

describe('statements that connections have prepared', () => {
  test('reads and writes go on when another process has changed a column of their table', async () => {
    const read = () => library.service('GET', 'books?id=eq.a');
    const update = (pages: number) =>
      library.service('PATCH', 'books?id=eq.a', { body: { pages }, headers: representation });
    for (let use = 0; use < 20; use += 1) {
      expect((await read()).status).toBe(200);
      expect((await update(use)).status).toBe(200);
    }
    await elsewhere.exclusively((transaction) =>
      sql`ALTER TABLE books ALTER COLUMN pages TYPE smallint`.execute(transaction),
    );
    const updated = await Promise.all(Array.from({ length: 8 }, (_, at) => update(100 + at)));
    expect(updated.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const readAgain = await Promise.all(Array.from({ length: 8 }, read));
    expect(readAgain.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});
