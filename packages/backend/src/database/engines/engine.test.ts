import { openTestEngine, type TestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { library, libraryTables } from '@fabrica/backend/testing/database/build-test-library.ts';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { equals } from '../../core/filter.ts';
import type { AccountRule, ProjectDefinition, Table } from '../../core/project.ts';
import { checkTables } from '../check-tables.ts';
import { migrateToLatest } from '../migrate.ts';
import type { Database } from '../port.ts';
import { schemaOf } from '../schema.ts';

let engine: TestEngine;
let database: Database;

beforeEach(async () => {
  engine = await openTestEngine();
  database = await engine.open({ id: 'test', schema: schemaOf(library) });
});

afterEach(async () => {
  await database.close();
  await engine.close();
});

const create = (name: string): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.createTable(name).addColumn('at', 'bigint').execute();
  },
});

const failing: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createTable('half').addColumn('id', 'text').execute();
    throw new Error('the disk is full');
  },
};

describe('migrations', () => {
  test('migrations run once each in the order of their names, and a later one may have an earlier name', async () => {
    await migrateToLatest(database, { '0002-b': create('b'), '0001-a': create('a') });
    await migrateToLatest(database, { '0001-a': create('a'), '0001-z': create('z'), '0002-b': create('b') });
    for (const table of ['a', 'b', 'z']) expect(await database.columns(table)).toHaveLength(1);
  });

  test('a migration that fails leaves nothing behind and is named in the error', async () => {
    const run = migrateToLatest(database, { '0001-a': create('a'), '0002-half': failing });
    await expect(run).rejects.toThrow('Migration "0002-half" failed: the disk is full');
    expect(await database.columns('a')).toEqual([]);
    expect(await database.columns('half')).toEqual([]);
    await migrateToLatest(database, { '0001-a': create('a') });
  });

  test('the tables of migrations accept values of their columns’ types alone', async () => {
    await migrateToLatest(database, { '0001-a': create('a') });
    const write = database.writer.insertInto('a').values({ at: 'now' }).execute();
    await expect(write).rejects.toSatisfy((error) => database.violation(error) === 'check');
    expect(await database.columns('a')).toEqual([{ name: 'at', type: 'integer', nullable: true }]);
  });
});

describe('the start-up check', () => {
  const books = libraryTables.books;
  if (!books) throw new Error('The library has books.');
  const withBooks = (changes: Partial<typeof books>): ProjectDefinition => ({
    ...library,
    tables: { ...libraryTables, books: { ...books, ...changes } },
  });

  beforeEach(() => migrateToLatest(database, library.migrations));

  test('the start-up check accepts tables that match their definition', async () => {
    await expect(checkTables(library, database)).resolves.toBeUndefined();
  });

  test('the start-up check names all differences in one error', async () => {
    const { pages: _, ...columns } = books.columns;
    const definition = withBooks({
      columns: {
        ...columns,
        author: { type: 'integer', nullable: true },
        shelf: { type: 'integer', nullable: true },
        price: { type: 'integer' },
      },
    });
    const check = checkTables({ ...definition, tables: { ...definition.tables, extra: books } }, database);
    await expect(check).rejects.toThrow(
      [
        'Project "library" and its database differ:',
        '  column "books.author" is defined as integer and is text in the database',
        '  column "books.shelf" may be null as defined, and may not in the database',
        '  column "books.price" is not in the database',
        '  column "books.pages" is not in the definition',
        '  the policy of "signedIn" on table "books" names "pages", which is not defined',
        '  table "extra" is not in the database',
      ].join('\n'),
    );
  });

  test('the start-up check finds policies that name missing tables and columns', async () => {
    const definition = withBooks({
      policies: {
        anonymous: { read: equals('colour', 1), update: { where: equals('id', 'x'), columns: ['size'] } },
      },
    });
    await expect(checkTables(definition, database)).rejects.toThrow(
      /"anonymous".*"size"[\s\S]*"books.colour"/,
    );
  });

  const reviews: Table = {
    columns: {
      id: { type: 'text', max: 60 },
      user_id: { type: 'text', max: 60 },
      reader: { type: 'text', max: 10 },
    },
    policies: {},
  };
  const createReviews: Migration = {
    async up(db: Kysely<unknown>) {
      let table = db.schema.createTable('reviews');
      for (const name of Object.keys(reviews.columns)) {
        table = table.addColumn(name, 'text', (column) => column.notNull());
      }
      await table.execute();
    },
  };
  const checkRules = async (whenAccountIsDeleted: Record<string, AccountRule>) => {
    await migrateToLatest(database, { ...library.migrations, '0002-reviews': createReviews });
    await checkTables({ ...library, tables: { ...libraryTables, reviews }, whenAccountIsDeleted }, database);
  };

  test('the start-up check accepts rules that delete the rows of a deleted account or give them to nobody', async () => {
    const rules = { books: 'delete', reviews: { set: { user_id: 'nobody', reader: 'Anonymous' } } } as const;
    await expect(checkRules(rules)).resolves.toBeUndefined();
  });

  test.each<[string, AccountRule, string]>([
    ['shelves', 'delete', 'is about no table with a column "user_id"'],
    ['notes', 'delete', 'is about no table with a column "user_id"'],
    ['titles', 'delete', 'is about no table with a column "user_id"'],
    ['reviews', { set: { reader: 'Anonymous' } }, 'leaves "user_id" as it is'],
    ['loans', { set: { user_id: 'nobody' } }, 'would give rows of two accounts the same values of "onePer"'],
    ['reviews', { set: { user_id: null } }, 'sets what the table does not take: .*user_id must not be null'],
    [
      'reviews',
      { set: { user_id: 'x', reader: 'Anonymous reader' } },
      'reader must be 10 characters long at most',
    ],
    ['reviews', { set: { user_id: 'x', name: 'x' } }, 'Table "reviews" has no column "name"'],
  ])('the start-up check rejects a rule for deleted accounts on table %s: %j', async (table, rule, fault) => {
    await expect(checkRules({ [table]: rule })).rejects.toThrow(
      new RegExp(`"whenAccountIsDeleted" of table "${table}" .*${fault}`),
    );
  });
});
