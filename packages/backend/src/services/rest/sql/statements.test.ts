import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import type { TestResponse } from '@fabrica/backend/testing/test-response.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase(library);
});

afterAll(() => db.close());

beforeEach(async () => {
  await sql('DELETE FROM books');
});

const sql = (query: string, params: unknown[] = []): Promise<TestResponse> =>
  db.service('POST', '/sql', { body: { query, params } });

const batch = (statements: { sql: string; args?: unknown[] }[], mode?: string): Promise<TestResponse> =>
  db.service('POST', '/batch', { body: { statements, ...(mode && { mode }) } });

const INSERT =
  'INSERT INTO books (id, user_id, title, shelf, created_at, updated_at, pages) VALUES (?, ?, ?, 0, 0, 0, ?)';

const rowsOf = async (query: string, params: unknown[] = []) => (await sql(query, params)).body.rows;

const errorOf = ({ status, body }: TestResponse) => [status, body.code, body.error];

describe('a statement', () => {
  it('a statement returns its rows, columns, row count and execution time', async () => {
    await sql(INSERT, ['b1', 'ada', 'One', 10]);
    await sql(INSERT, ['b2', 'ada', 'Two', null]);
    const { status, body } = await sql('SELECT title, id, pages FROM books WHERE user_id = ? ORDER BY id', [
      'ada',
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      rows: [
        { title: 'One', id: 'b1', pages: 10 },
        { title: 'Two', id: 'b2', pages: null },
      ],
      columns: ['title', 'id', 'pages'],
      rowCount: 2,
      executionTime: expect.any(Number),
    });
  });

  it('a statement that returns no rows returns the number of rows that it changed', async () => {
    await sql(INSERT, ['b1', 'ada', 'One', 10]);
    await sql(INSERT, ['b2', 'ada', 'Two', 20]);
    const { body } = await sql('UPDATE books SET pages = pages + ?', [1]);
    expect(body).toMatchObject({ rows: [], columns: [], rowCount: 2 });
    const returning = await sql('DELETE FROM books WHERE pages > $1 RETURNING id, pages', [11]);
    expect(returning.body).toMatchObject({
      rows: [{ id: 'b2', pages: 21 }],
      columns: ['id', 'pages'],
      rowCount: 1,
    });
    expect((await sql('DELETE FROM books WHERE id = ?', ['b2'])).body.rowCount).toBe(0);
    expect((await sql('CREATE TABLE IF NOT EXISTS empty (id text)')).body.rowCount).toBe(0);
    expect((await sql('CREATE TABLE copied AS SELECT * FROM books')).body.rowCount).toBe(0);
    expect((await sql('DROP TABLE copied')).body.rowCount).toBe(0);
  });

  it('a statement with RETURNING returns every row that it writes', async () => {
    const { body } = await sql(
      `INSERT INTO books (id, user_id, title, shelf, created_at, updated_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234)
       SELECT CAST(i AS text), 'ada', 'Many', 0, 0, 0 FROM n
       RETURNING id, shelf`,
    );
    expect([body.rowCount, body.rows.length, body.rows[1_233]]).toEqual([
      1_234,
      1_234,
      { id: '1234', shelf: 0 },
    ]);
    expect((await sql('UPDATE books SET pages = 1')).body.rowCount).toBe(1_234);
    expect((await sql('UPDATE books SET pages = 2 RETURNING id')).body.rowCount).toBe(1_234);
  });

  it.each([
    ['SELECT id FROM books WHERE pages = ? AND title = ?', [10, 'One']],
    ['SELECT id FROM books WHERE pages = $1 AND title = $2', [10, 'One']],
    ['SELECT id FROM books WHERE pages = ?1 AND title = ?2', [10, 'One']],
    ['SELECT id FROM books WHERE title = $2 AND pages = $1 AND pages = $1', [10, 'One']],
    ['SELECT id FROM books WHERE title = ?2 AND pages = ?1', [10, 'One']],
    ['SELECT id FROM books WHERE pages=?AND title=?;', [10, 'One']],
    [
      "select id from books -- a ? and a $1\nwhere pages = ? /* ? */ and title = ? and title <> '?' ; -- end",
      [10, 'One'],
    ],
  ])('the placeholders of a statement are filled: %s', async (query, params) => {
    await sql(INSERT, ['b1', 'ada', 'One', 10]);
    expect(await rowsOf(query, params)).toEqual([{ id: 'b1' }]);
  });

  it('parameters are values, whatever they look like', async () => {
    const hostile = `'; DROP TABLE books; -- " $1 ? \\`;
    await sql(INSERT, ['b1', hostile, 'One', 9_007_199_254_740_991]);
    expect(await rowsOf('SELECT user_id, pages FROM books')).toEqual([
      { user_id: hostile, pages: 9_007_199_254_740_991 },
    ]);
  });

  it('integers beyond 2^53 keep all digits', async () => {
    await sql(INSERT, ['b1', 'ada', 'One', '9223372036854775807']);
    expect(await rowsOf('SELECT pages, pages - 9223372036854775000 AS rest FROM books')).toEqual([
      { pages: '9223372036854775807', rest: 807 },
    ]);
  });

  it('a value is returned as JSON', async () => {
    const isSqlite = db.database.engine === 'sqlite';
    for (const [expression, value] of [
      ['1.5', 1.5],
      ['2 > 1', isSqlite ? 1 : true],
      ['NULL', null],
      ["'Ä 𝄞 \"'", 'Ä 𝄞 "'],
      ['(SELECT count(*) FROM books)', 0],
      ['(SELECT sum(pages) FROM books)', null],
      ['2 + 2', 4],
      [`'{"a":[1]}'`, '{"a":[1]}'],
      [isSqlite ? '9e999' : `CAST('Infinity' AS double precision)`, null],
    ]) {
      expect({ expression, rows: await rowsOf(`SELECT ${expression} AS value`) }).toEqual({
        expression,
        rows: [{ value }],
      });
    }
  });

  it.each([
    ['', [], 'There is no statement in this.'],
    [' ; -- nothing\n /* ; */ ;;', [], 'There is no statement in this.'],
    ['SELECT 1; SELECT 2', [], 'There is more than one statement in this: send them as a batch.'],
    ['SELECT 1\u0000; DROP TABLE books', [], 'A statement cannot have the character NUL in it.'],
    ['SELECT ?', [], 'There are 0 parameters, and the statement has placeholders for 1.'],
    ['SELECT 1', [1], 'There is 1 parameter, and the statement has placeholders for 0.'],
    ['SELECT ?, ?', [1], 'There is 1 parameter, and the statement has placeholders for 2.'],
    [
      'SELECT $2',
      [1, 2],
      'There are 2 parameters, and the statement has placeholders for 1, up to number 2.',
    ],
    ['SELECT $0', [1], 'Placeholders are numbered from 1.'],
    ['SELECT ?, $1', [1, 2], 'Placeholders are written in one way within a statement: as ? or as $1.'],
    ['SELECT ?, ?2', [1, 2], 'Placeholders are written in one way within a statement: as ? or as ?1.'],
  ])('a malformed statement is refused with a reason: %j', async (query, params, sentence) => {
    expect(errorOf(await sql(query, params))).toEqual([400, 'VALIDATION_FAILED', sentence]);
  });

  it.each([
    'BEGIN',
    'begin immediate',
    '/* first */ COMMIT',
    'END',
    'ROLLBACK',
    'rollback to x',
    'SAVEPOINT a',
    'RELEASE a',
    'START TRANSACTION',
    'ABORT',
    "PREPARE TRANSACTION 'x'",
    'SET TRANSACTION READ WRITE',
    'SET LOCAL TRANSACTION ISOLATION LEVEL SERIALIZABLE',
  ])('a statement that begins or ends a transaction is refused: %s', async (query) => {
    for (const response of [
      await sql(query),
      await batch([{ sql: query }]),
      await batch([{ sql: query }], 'read'),
    ]) {
      expect(errorOf(response)).toEqual([
        400,
        'VALIDATION_FAILED',
        expect.stringContaining('begins or ends'),
      ]);
    }
  });

  it.each([
    'SET search_path = public',
    'RESET ALL',
    'DISCARD ALL',
    'LISTEN x',
    'PREPARE x AS SELECT 1',
    'VACUUM',
    "VACUUM INTO 'copy.sqlite'",
    "ATTACH 'other.sqlite' AS other",
    "COPY books TO PROGRAM 'cat'",
    'ALTER ROLE CURRENT_USER SUPERUSER',
    'CREATE DATABASE other',
  ])('a statement that changes the connection or the server is refused: %s', async (query) => {
    expect(errorOf(await sql(query)).slice(0, 2)).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('the error of a statement that the engine refuses has the engine’s message', async () => {
    for (const query of [
      'SELECT * FROM nowhere',
      'SELEC 1',
      'SELECT nothing FROM books',
      'SELECT (',
      'SELECT ??',
      '\u00a0',
      '\u2028 ',
    ]) {
      const { status, body } = await sql(query);
      expect([status, body.code]).toEqual([400, 'SQL_REFUSED']);
      expect(body.error).toMatch(/^The statement was refused: .+/);
      expect(body.details).toEqual({ statement: 1 });
    }
    expect((await sql('SELECT * FROM nowhere')).body.error).toContain('nowhere');
  });

  it('a statement that breaks a constraint has the error code of REST and the engine’s message', async () => {
    await sql(INSERT, ['b1', 'ada', 'One', 10]);
    const again = await sql(INSERT, ['b1', 'ada', 'Again', 10]);
    expect(errorOf(again)).toEqual([409, 'CONFLICT', expect.stringContaining('books')]);
    const orphan = await sql(`INSERT INTO loans (id, book_id, user_id) VALUES ('l', 'none', 'ada')`);
    expect(errorOf(orphan)).toEqual([400, 'VALIDATION_FAILED', expect.stringMatching(/foreign key/i)]);
    const missing = await sql(`INSERT INTO notes (id) VALUES ('n')`);
    expect(errorOf(missing)).toEqual([400, 'VALIDATION_FAILED', expect.stringMatching(/not.null/i)]);
    const text = await sql(`UPDATE books SET pages = 'many'`);
    expect(text.status).toBe(400);
  });

  it('a statement that returns too many rows, or too long ones, is refused', async () => {
    const numbers = (most: number) =>
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most}) SELECT i FROM n`;
    expect((await sql(numbers(10_000))).body.rowCount).toBe(10_000);
    expect(errorOf(await sql(numbers(10_001)))).toEqual([
      400,
      'SQL_REFUSED',
      'The statement was refused: it answers too much: 10000 rows at most, and 16 MB in all. Ask for some at a time, with LIMIT.',
    ]);
    const text = 'x'.repeat(90_000);
    const large = numbers(1_000).replace('SELECT i FROM', `SELECT i, '${text}' AS text FROM`);
    expect((await sql(large)).body.error).toContain('it answers too much');
    expect((await sql(`${large} LIMIT 2`)).body.rows).toEqual([
      { i: 1, text },
      { i: 2, text },
    ]);
  });
});

describe('a batch', () => {
  it('a batch returns the result of each statement, in order', async () => {
    const { status, body } = await batch([
      { sql: INSERT, args: ['b1', 'ada', 'One', 10] },
      { sql: 'SELECT id FROM books' },
      { sql: 'UPDATE books SET pages = $1', args: [7] },
      { sql: 'SELECT pages FROM books WHERE id = ?', args: ['b1'] },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      results: [
        { rows: [], columns: [], rowCount: 1 },
        { rows: [{ id: 'b1' }], columns: ['id'], rowCount: 1 },
        { rows: [], columns: [], rowCount: 1 },
        { rows: [{ pages: 7 }], columns: ['pages'], rowCount: 1 },
      ],
      executionTime: expect.any(Number),
      success: true,
    });
  });

  it.each([
    ['a statement that the engine refuses', 'SELECT * FROM nowhere', 'SQL_REFUSED'],
    ['a row that is there already', `INSERT INTO books SELECT * FROM books`, 'CONFLICT'],
    ['more than one statement', 'SELECT 1; SELECT 2', 'VALIDATION_FAILED'],
    ['a table of migrations that would go', 'DROP TABLE notes', 'SQL_REFUSED'],
  ])('a batch writes nothing when it ends with %s', async (_, last, code) => {
    const { body } = await batch([
      { sql: INSERT, args: ['b1', 'ada', 'One', 10] },
      { sql: 'CREATE TABLE half (id text)' },
      { sql: last },
    ]);
    expect(body.code).toBe(code);
    if (code !== 'VALIDATION_FAILED') expect(body.error).toMatch(/^Statement 3 was refused: /);
    expect(await rowsOf('SELECT id FROM books')).toEqual([]);
    expect((await sql('SELECT * FROM half')).body.code).toBe('SQL_REFUSED');
  });

  it('a batch that reads writes nothing', async () => {
    await sql(INSERT, ['b1', 'ada', 'One', 10]);
    const { body } = await batch(
      [{ sql: 'SELECT id FROM books' }, { sql: 'SELECT count(*) AS n FROM books' }],
      'read',
    );
    expect(body.results.map(({ rows }: { rows: unknown }) => rows)).toEqual([[{ id: 'b1' }], [{ n: 1 }]]);
    for (const query of [
      'DELETE FROM books',
      `UPDATE books SET title = 'Two' RETURNING id`,
      'CREATE TABLE made (id text)',
      'DROP TABLE books',
      INSERT.replaceAll('?', `'9'`),
    ]) {
      const { status, body } = await batch([{ sql: 'SELECT 1' }, { sql: query }], 'read');
      expect([status, body.code, body.error]).toEqual([
        400,
        'SQL_REFUSED',
        'Nothing can be written in a batch that only reads.',
      ]);
    }
    expect(await rowsOf('SELECT id, title FROM books')).toEqual([{ id: 'b1', title: 'One' }]);
  });

  it('concurrent batches each run as a whole', async () => {
    await sql(INSERT, ['b1', 'ada', 'One', 0]);
    const increment = { sql: 'UPDATE books SET pages = pages + 1' };
    const responses = await Promise.all(Array.from({ length: 20 }, () => batch([increment, increment])));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await rowsOf('SELECT pages FROM books')).toEqual([{ pages: 40 }]);
  });

  it('batches run beside writes over REST', async () => {
    const create = (id: string) => db.service('POST', 'books', { body: { id, user_id: 'ada', title: id } });
    const both = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0 ? create(`rest${at}`) : sql(INSERT, [`sql${at}`, 'ada', 'One', 0]),
    );
    for (const { status } of await Promise.all(both)) expect(status).toBeLessThan(300);
    expect(await rowsOf('SELECT count(*) AS n FROM books')).toEqual([{ n: 20 }]);
  });
});

describe('reads over REST', () => {
  it('a read over REST sees what a statement has just written', async () => {
    for (let pages = 1; pages <= 20; pages++) {
      await sql(
        pages === 1 ? INSERT : 'UPDATE books SET pages = ?',
        pages === 1 ? ['b1', 'ada', 'One', 1] : [pages],
      );
      expect((await db.anonymous('GET', 'books?select=pages')).body).toEqual([{ pages }]);
    }
  });
});

describe('tables of clients', () => {
  test('clients can create, alter and drop tables of their own, which REST knows by the secret key alone', async () => {
    const steps = [
      'CREATE TABLE scores (id text PRIMARY KEY NOT NULL, points bigint)',
      'CREATE INDEX scores_points ON scores (points)',
      `INSERT INTO scores VALUES ('a', 1), ('b', 2)`,
      'ALTER TABLE scores ADD COLUMN note text',
      'CREATE VIEW best AS SELECT id FROM scores WHERE points > 1',
      'ALTER TABLE scores RENAME TO results',
    ];
    for (const step of steps) expect([step, (await sql(step)).status]).toEqual([step, 200]);
    expect(await rowsOf('SELECT id, note FROM results ORDER BY id')).toEqual([
      { id: 'a', note: null },
      { id: 'b', note: null },
    ]);
    expect(await rowsOf('SELECT id FROM best')).toEqual([{ id: 'b' }]);
    expect((await db.anonymous('GET', 'results')).body.code).toBe('UNKNOWN_TABLE');
    for (const step of ['DROP VIEW best', 'DROP TABLE results']) {
      expect([step, (await sql(step)).status]).toEqual([step, 200]);
    }
    expect((await sql('SELECT * FROM results')).body.code).toBe('SQL_REFUSED');
  });

  test.each([
    'DROP TABLE books',
    'DROP TABLE notes',
    'ALTER TABLE books ADD COLUMN price bigint',
    'ALTER TABLE books DROP COLUMN pages',
    'ALTER TABLE books RENAME TO novels',
    'ALTER TABLE books RENAME COLUMN pages TO leaves',
    'CREATE INDEX books_pages ON books (pages)',
    'CREATE UNIQUE INDEX ON books (title)',
    'DROP VIEW titles',
    'DROP TABLE kysely_migration',
    'CREATE TABLE fabrica_mine (id text)',
    'DELETE FROM kysely_migration',
    `INSERT INTO kysely_migration VALUES ('9999-x', '')`,
    'UPDATE kysely_migration_lock SET is_locked = 1',
  ])('clients cannot change the tables of migrations: %s', async (query) => {
    await sql(INSERT, ['b1', 'ada', 'One', 1]);
    for (const response of [await sql(query), await batch([{ sql: 'SELECT 1' }, { sql: query }])]) {
      expect(errorOf(response).slice(0, 2)).toEqual([400, 'SQL_REFUSED']);
    }
    expect((await db.anonymous('GET', 'books?select=id,pages')).body).toEqual([{ id: 'b1', pages: 1 }]);
    expect(await rowsOf('SELECT is_locked FROM kysely_migration_lock')).toEqual([{ is_locked: 0 }]);
  });
});
