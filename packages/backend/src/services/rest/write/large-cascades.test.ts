import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildUser, library, libraryTables } from '@fabrica/backend/testing/database/build-test-library.ts';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { everyRow } from '../../../core/filter.ts';
import { defineProject } from '../../../project-database.ts';

const PAGES = 12_000;
const LONG = 'x'.repeat(4_990);

const id = { type: 'text', max: 60 } as const;
const definition = defineProject({
  ...library,
  tables: {
    ...libraryTables,
    pages: {
      columns: { id, book_id: id, number: { type: 'integer' }, text: { type: 'text', max: 5_000 } },
      policies: { signedIn: { read: everyRow } },
    },
  },
  migrations: {
    ...library.migrations,
    'pages-0001': {
      async up({ schema }: Kysely<unknown>) {
        await schema
          .createTable('pages')
          .addColumn('id', 'text', (column) => column.notNull().primaryKey())
          .addColumn('book_id', 'text', (column) =>
            column.references('books.id').onDelete('cascade').notNull(),
          )
          .addColumn('number', 'bigint', (column) => column.notNull())
          .addColumn('text', 'text', (column) => column.notNull())
          .execute();
        await schema.createIndex('pages_book').on('pages').column('book_id').execute();
      },
    },
  },
});

let db: TestDatabase;
beforeEach(async () => {
  db = await openTestDatabase(definition);
});
afterEach(() => db.close());

test('a row is deleted with however many long rows depend on it', async () => {
  const ada = db.as(buildUser('ada'));
  const body = [
    { id: 'thick', user_id: 'ada', title: 'Thick' },
    { id: 'thin', user_id: 'ada', title: 'Thin' },
  ];
  expect((await ada('POST', 'books', { body })).status).toBe(201);
  await db.database.writer.transaction().execute(async (transaction) => {
    for (let start = 0; start < PAGES; start += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, index) => ({
        id: `p${start + index}`,
        book_id: 'thick',
        number: index,
        text: LONG,
      }));
      await transaction.insertInto('pages').values(rows).execute();
    }
    const single = { id: 'other', book_id: 'thin', number: 1, text: LONG };
    await transaction.insertInto('pages').values(single).execute();
  });
  db.events.length = 0;

  expect((await ada('DELETE', 'books?id=eq.thick')).status).toBe(204);

  expect((await ada('GET', 'pages?select=id')).body).toEqual([{ id: 'other' }]);
  expect((await ada('GET', 'books?select=id')).body).toEqual([{ id: 'thin' }]);
  expect(db.events).toHaveLength(PAGES + 1);
  expect(db.events.every(({ operation }) => operation === 'delete')).toBe(true);
  const [, first] = db.events;
  expect(first?.before).toMatchObject({ book_id: 'thick', number: 0, text: LONG });
  expect(db.events.at(-1)?.before).toEqual({ id: expect.any(String), book_id: 'thick', number: 999 });
});
