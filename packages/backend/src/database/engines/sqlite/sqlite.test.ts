import {
  bookIds,
  createBook,
  openTestFolder,
  type TestFolder,
} from '@fabrica/backend/testing/database/build-test-sqlite.ts';
import { countForeignCommits } from '@fabrica/backend/testing/database/count-foreign-commits.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../port.ts';

let files: TestFolder;
let database: Database;

beforeEach(async () => {
  files = openTestFolder();
  database = await files.open('library');
});

afterEach(() => files.close());

const insert = (id: string) =>
  `INSERT INTO books (id, user_id, title, shelf, created_at, updated_at) VALUES ('${id}', 'ada', 'x', 0, 1, 1)`;

describe('the version', () => {
  test('the version changes after a commit of another process', async () => {
    const other = files.another('library');
    const before = database.version();
    expect(database.version()).toBe(before);
    other.exec(insert('b-1'));
    await expect.poll(() => database.version()).not.toBe(before);
  });

  test('the version has changed when a write is confirmed', async () => {
    const seen = new Set([database.version()]);
    await createBook(database, 'b-1');
    seen.add(database.version());
    await sql.raw(insert('b-2')).execute(database.writer);
    seen.add(database.version());
    await database.writer.transaction().execute((one) => sql.raw(insert('b-3')).execute(one));
    seen.add(database.version());
    expect(seen.size).toBe(4);
  });

  test('the version stays the same while the writer only reads', async () => {
    const before = database.version();
    await database.writer.selectFrom('books').selectAll().execute();
    expect(database.version()).toBe(before);
  });
});

describe('foreign commits', () => {
  test('foreign commits are counted one by one, without those of this process', async () => {
    const other = files.another('library');
    const before = database.foreignCommits();
    await createBook(database, 'own-1');
    expect(await countForeignCommits(database)).toBe(before);
    other.exec(insert('other-1'));
    expect(await countForeignCommits(database)).toBe(before + 1);
    other.exec(insert('other-2'));
    await createBook(database, 'own-2');
    expect(await countForeignCommits(database)).toBe(before + 2);
    await createBook(database, 'own-3');
    expect(await countForeignCommits(database)).toBe(before + 2);
  });

  test('foreign commits are counted while this process writes without a pause', async () => {
    const other = files.another('library');
    const before = database.foreignCommits();
    let noticed = false;
    let made = 0;
    const writing = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let at = 0; !noticed; at += 1, made += 1) await createBook(database, `own-${writer}-${at}`);
      }),
    );
    await expect.poll(() => made).toBeGreaterThan(20);
    expect(database.foreignCommits()).toBe(before);
    other.exec(insert('other'));
    await expect.poll(() => database.foreignCommits()).toBe(before + 1);
    noticed = true;
    await writing;
    expect(database.foreignCommits()).toBe(before + 1);
  });
});

describe('a full disk', () => {
  test('writes to a full disk fail with STORAGE_FULL, harm nothing, and succeed again once there is room', async () => {
    const pages = (most: number) => sql.raw(`PRAGMA max_page_count = ${most}`).execute(database.writer);
    const fill = (ids: readonly string[]) =>
      database.writer.transaction().execute(async (transaction) => {
        for (const id of ids) await sql.raw(insert(id)).execute(transaction);
      });
    const many = Array.from({ length: 2_000 }, (_, at) => `many-${at}`);
    await createBook(database, 'first');
    await pages(1);
    await expect(fill(many)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const created = await Promise.allSettled(many.map((id) => createBook(database, id)));
    const refused = created.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'STORAGE_FULL' } });
    const stored = many.filter((_, at) => created[at]?.status === 'fulfilled');
    expect(await bookIds(database)).toEqual([...stored, 'first'].sort());
    await pages(1_000_000);
    await fill(['last']);
    expect(await bookIds(database)).toEqual([...stored, 'first', 'last'].sort());
  });
});

test('opening a file that is not a database fails with the name of the file', async () => {
  files.another('broken').exec('CREATE TABLE a (b)');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${files.folder}/broken.sqlite`, 'This is no database.'.repeat(1_000));
  await expect(files.open('broken')).rejects.toThrow(/broken\.sqlite cannot be opened/);
});
