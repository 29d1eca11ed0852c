import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { library, libraryTables } from '@fabrica/backend/testing/database/build-test-library.ts';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A table that refers to itself, with keys of several kinds besides the id. */
const folders: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('folders')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('parent_id', 'text', (column) => column.references('folders.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('code', 'text')
      .addColumn('open', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('one_name_a_folder', ['parent_id', 'name'])
      .execute();
    await db.schema.createIndex('folders_code').on('folders').column('code').unique().execute();
    const open = db.schema.createIndex('open_names').on('folders').column('name').unique();
    await open.where(sql.ref('open'), '=', 1).execute();
  },
};

const text = { type: 'text', max: 60 } as const;
const nullable = { ...text, nullable: true } as const;

let db: TestDatabase;

beforeEach(async () => {
  db = await openTestDatabase({
    ...library,
    tables: {
      ...libraryTables,
      folders: {
        columns: {
          id: text,
          parent_id: nullable,
          name: text,
          code: nullable,
          open: { type: 'integer', default: 0 },
        },
        policies: {},
      },
    },
    migrations: { ...library.migrations, 'library-0002-folders': folders },
  });
  await db.service('POST', 'folders', {
    body: [
      { id: 'root', name: 'Root', code: '1' },
      { id: 'a', parent_id: 'root', name: 'A' },
      { id: 'b', parent_id: 'a', name: 'B' },
    ],
  });
  db.events.length = 0;
});

afterEach(() => db.close());

test('a row is upserted by each of its unique keys', async () => {
  const upsert = async (columns: string, body: object) => {
    const headers = { prefer: 'return=representation' };
    const response = await db.service('POST', `folders?on_conflict=${columns}`, { body, headers });
    return [response.status, response.body[0]?.id ?? response.body.code];
  };
  expect(await upsert('code', { code: '1', name: 'New root' })).toEqual([200, 'root']);
  expect(await upsert('name,parent_id', { parent_id: 'a', name: 'B', code: '2' })).toEqual([200, 'b']);
  expect(await upsert('"code"', { code: '2', open: 1 })).toEqual([200, 'b']);
  expect(await upsert('code', { id: 'c', code: null, name: 'C' })).toEqual([201, 'c']);
  expect(await upsert('code', { code: '3', name: 'B', parent_id: 'a' })).toEqual([409, 'CONFLICT']);
  // The index on the name is partial: it contains open folders alone.
  expect(await upsert('name', { name: 'B' })).toEqual([400, 'VALIDATION_FAILED']);
  expect(await upsert('parent_id', { parent_id: 'a', name: 'x' })).toEqual([400, 'VALIDATION_FAILED']);
  expect(await upsert('code,name', { code: '1', name: 'x' })).toEqual([400, 'VALIDATION_FAILED']);
});

test('a row that both the filter and a cascade delete is published once', async () => {
  expect((await db.service('DELETE', 'folders?id=in.(root,b)&order=id')).status).toBe(204);
  expect(db.events.map(({ id }) => id)).toEqual(['b', 'root', 'a']);
  expect((await db.service('GET', 'folders')).body).toEqual([]);
});
