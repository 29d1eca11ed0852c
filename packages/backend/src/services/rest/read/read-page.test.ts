import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { equals } from '../../../core/filter.ts';
import type { Database } from '../../../database/port.ts';
import { schemaOf } from '../../../database/schema.ts';
import { parseForm } from './parse.ts';
import { readPage } from './read-page.ts';

const COUNT = 10_000;

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase(library);
  for (let part = 0; part < COUNT; part += 1_000) {
    const body = Array.from({ length: 1_000 }, (_, index) =>
      buildBook({ id: `b${String(part + index).padStart(4, '0')}`, shelf: 0, author: 'x'.repeat(40) }),
    );
    await db.service('POST', 'books', { body });
  }
});

afterAll(() => db.close());

/** Reads the ids of the books on the first shelf. */
async function readShelf(database: Database, limit: number): Promise<string[]> {
  const schema = schemaOf(library);
  const table = schema.get('books');
  if (!table) throw new Error('The library has books.');
  const context = { schema, table, syntax: database.syntax };
  const form = parseForm({ select: 'id,title', order: 'id' }, table);
  const query = { ...form, filter: equals('shelf', 0), limit, offset: 0, after: undefined };
  const { list } = await readPage({ database, context, options: {} }, query, false);
  return JSON.parse(`[${list}]`).map(({ id }: { id: string }) => id);
}

test('a row that stops matching the filter while a long list is read is left out', async () => {
  let statements = 0;
  const database: Database = {
    ...db.database,
    async values(sql, parameters, options) {
      const values = await db.database.values(sql, parameters, options);
      statements += 1;
      if (statements === 1) {
        await db.service('PATCH', 'books?id=eq.b0007', { body: { shelf: 1, title: 'Secret' } });
        await db.service('DELETE', 'books?id=eq.b0008');
      }
      return values;
    },
  };
  const ids = await readShelf(database, 60);
  expect(statements).toBeGreaterThan(1);
  expect(ids).toHaveLength(58);
  expect(ids).not.toContain('b0007');
  expect(ids).not.toContain('b0008');
});

test('other requests run while a long list is read', async () => {
  let ticks = 0;
  let reading = true;
  const count = () => {
    ticks += 1;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const ids = await readShelf(db.database, COUNT);
  reading = false;
  expect(ids.length).toBeGreaterThan(COUNT - 10);
  expect(ticks).toBeGreaterThan(1);
});
