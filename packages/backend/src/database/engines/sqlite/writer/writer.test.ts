import { buildBook, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import {
  bookIds,
  createBook,
  openTestFolder,
  planRow,
  type TestFolder,
} from '@fabrica/backend/testing/database/build-test-sqlite.ts';
import { sql, type Transaction } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../port.ts';
import { schemaOf } from '../../../schema.ts';
import { createSqliteEngine } from '../sqlite-engine.ts';
import { createSqliteThreads, type SqliteThreads } from '../sqlite-threads.ts';

let files: TestFolder;
let threads: SqliteThreads;
let database: Database;

beforeEach(async () => {
  threads = createSqliteThreads();
  files = openTestFolder({ threads, idleTransactionTimeout: 200, lockTimeout: 300 });
  database = await files.open('library');
});

afterEach(async () => {
  await files.close();
  await threads.end();
});

const run = (text: string) => sql.raw(text).execute(database.writer);

/** Records the order in which calls return. */
function watch() {
  const order: string[] = [];
  const note = async <T>(name: string, call: T | Promise<T>) => {
    try {
      return await call;
    } finally {
      order.push(name);
    }
  };
  return { order, note };
}

describe('concurrent writes', () => {
  test('concurrent writes share commits, and are visible to other processes when they are confirmed', async () => {
    const other = files.another('library');
    const find = other.prepare('SELECT 1 FROM books WHERE id = ?');
    const before = database.version() ?? 0;
    const ids = Array.from({ length: 50 }, (_, at) => `b-${at}`);
    await Promise.all(
      ids.map(async (id) => {
        await createBook(database, id);
        expect(find.get(id)).toBeDefined();
      }),
    );
    expect(await bookIds(database)).toEqual(ids.toSorted());
    expect(database.version()).toBeLessThan(before + 10);
  });

  test('a write that fails does not affect the others of its group', async () => {
    await createBook(database, 'taken');
    const responses = await Promise.allSettled([
      createBook(database, 'b-1'),
      createBook(database, 'taken'),
      // The first row is inserted and rolled back.
      database.write({
        ...planRow('books', {}),
        rows: [
          { ...buildBook({}), id: 'b-2' },
          { ...buildBook({}), id: 'taken' },
        ],
      } as Parameters<Database['write']>[0]),
      database.write(planRow('loans', { id: 'l-1', book_id: 'nowhere', user_id: 'ada' })),
      run(`INSERT INTO books (id) VALUES ('half')`),
      createBook(database, 'b-3'),
    ]);
    expect(
      responses.map((response) => (response.status === 'rejected' ? response.reason.code : 'made')),
    ).toEqual(['made', 'CONFLICT', 'CONFLICT', 'VALIDATION_FAILED', 'ERR_SQLITE_ERROR', 'made']);
    expect(await bookIds(database)).toEqual(['b-1', 'b-3', 'taken']);
  });

  test('the writes of a group run one by one when one of them rolls back the transaction', async () => {
    await run(
      `CREATE TRIGGER ends_all BEFORE INSERT ON books WHEN new.id = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'all is lost'); END`,
    );
    const ids = ['b-1', 'b-2', 'bad', 'b-3'];
    const responses = await Promise.allSettled(ids.map((id) => createBook(database, id)));
    expect(responses.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(responses[2]).toMatchObject({ reason: { message: 'all is lost' } });
    expect(await bookIds(database)).toEqual(['b-1', 'b-2', 'b-3']);
  });

  test('the writes of a group run one by one when one of them breaks a deferred constraint', async () => {
    await run(
      'CREATE TABLE later (id TEXT PRIMARY KEY, book TEXT REFERENCES books DEFERRABLE INITIALLY DEFERRED)',
    );
    const responses = await Promise.allSettled([
      createBook(database, 'b-1'),
      run(`INSERT INTO later VALUES ('l-1', 'nowhere')`),
      createBook(database, 'b-2'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const [, rejected] = responses;
    expect(database.violation(rejected.status === 'rejected' && rejected.reason)).toBe('foreign-key');
    expect(await bookIds(database)).toEqual(['b-1', 'b-2']);
    expect(await database.query('SELECT id FROM later', [])).toEqual([]);
  });

  test('every commit is synchronised to disk', async () => {
    expect((await run('PRAGMA synchronous')).rows).toEqual([{ synchronous: 2 }]);
    expect((await run('PRAGMA journal_mode')).rows).toEqual([{ journal_mode: 'wal' }]);
  });
});

describe('a transaction', () => {
  const next = async (transaction: Transaction<unknown>) => {
    const { rows } = await sql<{ pages: number }>`SELECT pages FROM books WHERE id = 'b-1'`.execute(
      transaction,
    );
    const pages = (rows[0]?.pages ?? 0) + 1;
    await sql`UPDATE books SET pages = ${pages} WHERE id = 'b-1'`.execute(transaction);
    return pages;
  };

  beforeEach(() => createBook(database, 'b-1'));

  test('a transaction sees earlier transactions and no concurrent ones', async () => {
    const counted = await Promise.all(
      Array.from({ length: 20 }, () => database.writer.transaction().execute(next)),
    );
    expect(counted).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  test('a transaction locks the file of its project and no other file', async () => {
    const elsewhere = await files.open('elsewhere');
    const { order, note } = watch();
    const others: Promise<unknown>[] = [];
    await note(
      'transaction',
      database.writer.transaction().execute(async (transaction) => {
        await sql`UPDATE books SET pages = 7`.execute(transaction);
        others.push(note('write', createBook(database, 'b-2')));
        others.push(note('statement', run(`UPDATE books SET shelf = 1 WHERE pages = 7`)));
        await note('elsewhere', createBook(elsewhere, 'b-1'));
        const [row] = await note('read', database.query('SELECT pages FROM books', []));
        expect(row).toEqual({ pages: null });
        await sql`UPDATE books SET author = 'Ada'`.execute(transaction);
      }),
    );
    await Promise.all(others);
    expect(order).toEqual(['elsewhere', 'read', 'transaction', 'write', 'statement']);
    expect(await database.query('SELECT id, shelf, author FROM books ORDER BY id', [])).toEqual([
      { id: 'b-1', shelf: 1, author: 'Ada' },
      { id: 'b-2', shelf: 0, author: null },
    ]);
  });

  test('a transaction whose code or statement throws leaves nothing behind', async () => {
    const throwing = database.writer.transaction().execute(async (transaction) => {
      await next(transaction);
      throw new Error('no');
    });
    await expect(throwing).rejects.toThrow('no');
    const failing = database.writer.transaction().execute(async (transaction) => {
      await next(transaction);
      await sql`UPDATE books SET missing = 1`.execute(transaction);
    });
    await expect(failing).rejects.toThrow('no such column: missing');
    expect(await database.query('SELECT pages FROM books', [])).toEqual([{ pages: null }]);
  });

  test('a transaction goes on after a failed statement', async () => {
    await database.writer.transaction().execute(async (transaction) => {
      await expect(sql.raw(`INSERT INTO books (id) VALUES ('half')`).execute(transaction)).rejects.toThrow();
      await next(transaction);
    });
    expect(await database.query('SELECT pages FROM books', [])).toEqual([{ pages: 1 }]);
  });

  test('a transaction that SQLite has rolled back cannot go on', async () => {
    await run(
      `CREATE TRIGGER ends_all BEFORE UPDATE ON books WHEN new.pages = 9 BEGIN SELECT RAISE(ROLLBACK, 'all is lost'); END`,
    );
    const lost = database.writer.transaction().execute(async (transaction) => {
      await next(transaction);
      await expect(sql`UPDATE books SET pages = 9`.execute(transaction)).rejects.toThrow('all is lost');
      await expect(next(transaction)).rejects.toThrow('all is lost');
    });
    await expect(lost).rejects.toThrow('all is lost');
    expect(await database.query('SELECT pages FROM books', [])).toEqual([{ pages: null }]);
  });

  test('a transaction that stays idle too long is rolled back, and waiting writes run', async () => {
    const idle = database.writer.transaction().execute(async (transaction) => {
      await next(transaction);
      await createBook(database, 'waits');
      await next(transaction);
    });
    await expect(idle).rejects.toMatchObject({ code: 'STATEMENT_TIMEOUT' });
    expect(await database.query('SELECT id, pages FROM books ORDER BY id', [])).toEqual([
      { id: 'b-1', pages: null },
      { id: 'waits', pages: null },
    ]);
  });

  test('an exclusive transaction may stay idle', async () => {
    const elsewhere = await files.open('elsewhere');
    await database.exclusively(async (transaction) => {
      await next(transaction);
      // One that may not is rolled back in the meantime.
      const other = elsewhere.writer.transaction().execute(async (idle) => {
        await next(idle);
        await createBook(elsewhere, 'waits');
        await next(idle);
      });
      await expect(other).rejects.toMatchObject({ code: 'STATEMENT_TIMEOUT' });
      await next(transaction);
    });
    expect(await database.query('SELECT pages FROM books', [])).toEqual([{ pages: 2 }]);
  });
});

describe('writes of another process', () => {
  test('reads, and writes to other files, run while another process writes, and waiting writes run afterwards', async () => {
    const elsewhere = await files.open('elsewhere');
    const { order, note } = watch();
    const other = files.another('library');
    other.exec('BEGIN IMMEDIATE');
    const ours = [
      note('write', createBook(database, 'b-1')),
      note('statement', run(`UPDATE books SET pages = 1`)),
      note(
        'transaction',
        database.writer.transaction().execute((one) => sql`UPDATE books SET pages = 2`.execute(one)),
      ),
    ];
    await note('elsewhere', createBook(elsewhere, 'b-1'));
    await note('read', database.query('SELECT id FROM books', []));
    await note('elsewhere again', createBook(elsewhere, 'b-2'));
    other.exec('COMMIT');
    await Promise.all(ours);
    expect(order).toEqual(['elsewhere', 'read', 'elsewhere again', 'write', 'statement', 'transaction']);
    expect(await database.query('SELECT id, pages FROM books', [])).toEqual([{ id: 'b-1', pages: 2 }]);
  });

  test('a write waits for another process until its timeout, and an exclusive transaction waits longer', async () => {
    const other = files.another('library');
    other.exec('BEGIN IMMEDIATE');
    const exclusive = database.exclusively((transaction) =>
      sql.raw('CREATE TABLE late (a)').execute(transaction),
    );
    await expect(createBook(database, 'b-1')).rejects.toMatchObject({ code: 'STATEMENT_TIMEOUT' });
    const transaction = database.writer
      .transaction()
      .execute((one) => sql`UPDATE books SET pages = 2`.execute(one));
    await expect(transaction).rejects.toMatchObject({ code: 'STATEMENT_TIMEOUT' });
    other.exec('COMMIT');
    await exclusive;
    expect(await database.columns('late')).toHaveLength(1);
    await createBook(database, 'b-2');
    expect(await bookIds(database)).toEqual(['b-2']);
  });
});

describe('closing', () => {
  test('closing a database waits for running writes, and refuses later ones', async () => {
    const ids = Array.from({ length: 100 }, (_, at) => `b-${at}`);
    const transaction = database.writer.transaction().execute(async (one) => {
      await sql.raw('UPDATE books SET pages = 1').execute(one);
      await sql.raw('UPDATE books SET pages = 2').execute(one);
    });
    const created = ids.map((id) => createBook(database, id));
    await database.close();
    await Promise.all([transaction, ...created]);
    await expect(createBook(database, 'late')).rejects.toThrow('closed');
    expect(await bookIds(await files.open('library'))).toEqual(ids.toSorted());
  });

  test('closing a database waits for its first write', async () => {
    await database.close();
    const engine = createSqliteEngine(files.folder, { threads });
    const opened = await engine.open({ id: 'library', schema: schemaOf(library) });
    const created = [createBook(opened, 'b-1'), createBook(opened, 'b-2')];
    await opened.close();
    await Promise.all(created);
    expect(await bookIds(await files.open('library'))).toEqual(['b-1', 'b-2']);
  });

  test('calls fail when the writer’s thread ends, and the next write starts another', async () => {
    await createBook(database, 'b-1');
    const interrupted = createBook(database, 'b-2');
    const transaction = database.writer.transaction().execute(async (one) => {
      await sql.raw('UPDATE books SET pages = 1').execute(one);
      await threads.writer.end();
      await sql.raw('UPDATE books SET pages = 2').execute(one);
    });
    await Promise.allSettled([interrupted]);
    await expect(transaction).rejects.toThrow();
    await createBook(database, 'b-3');
    expect(await bookIds(database)).toContain('b-3');
    expect(await database.query('SELECT id FROM books WHERE pages > 0', [])).toEqual([]);
  });
});
