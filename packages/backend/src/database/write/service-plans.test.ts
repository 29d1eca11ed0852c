import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createInProcessBus } from '../../core/bus.ts';
import { allOf, equals } from '../../core/filter.ts';
import type { TablePlan } from '../port.ts';
import type { Project } from '../project.ts';
import { ServicePlans, writeAndPublish } from './service-plans.ts';

let db: TestDatabase;
let project: Project;
let plans: ServicePlans;

beforeEach(async () => {
  db = await openTestDatabase(library);
  project = { definition: library, database: db.database, secretKey: 'sk_test' };
  plans = new ServicePlans(project, () => 1_000);
  await write(plans.create('books', { id: 'b1', user_id: 'ada', title: 'Heart', pages: 1 }));
});

afterEach(() => db.close());

const write = (...all: TablePlan[]) => writeAndPublish(project, createInProcessBus(), { plans: all });

const readBooks = () => db.database.query('SELECT id, title, pages FROM books ORDER BY id', []);

test('plans of several tables are one transaction, whose changes are published in their order', async () => {
  const bus = createInProcessBus();
  const seen: string[] = [];
  bus.subscribe(({ table, operation, id }) => seen.push(`${operation} ${table} ${id}`));
  const all = [
    plans.update('books', equals('id', 'b1'), { changes: { pages: 2 }, single: true }),
    plans.create('loans', { id: 'l1', book_id: 'b1', user_id: 'ben' }),
    plans.create('books', { id: 'b2', user_id: 'ben', title: 'Lung' }),
    await plans.delete('books', equals('id', 'b1'), { single: true }),
  ];
  const { created } = await writeAndPublish(project, bus, { plans: all });
  expect(created).toBe(2);
  expect(seen).toEqual([
    'update books b1',
    'create loans l1',
    'create books b2',
    'delete books b1',
    'delete loans l1',
  ]);
  expect(await readBooks()).toEqual([{ id: 'b2', title: 'Lung', pages: null }]);
});

test('nothing is written when one plan finds another number of rows than one, or is not valid', async () => {
  const create = plans.create('books', { id: 'b2', user_id: 'ben', title: 'Lung' });
  const stale = plans.update('books', allOf(equals('id', 'b1'), equals('pages', 7)), {
    changes: { title: 'Gone' },
    single: true,
  });
  await expect(write(create, stale)).rejects.toMatchObject({ code: 'NOT_ACCEPTABLE' });
  const orphan = plans.create('loans', { id: 'l1', book_id: 'b9', user_id: 'ben' });
  await expect(write(create, orphan)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(() => plans.create('books', { id: 'b2', user_id: 'ben' })).toThrow('title is required');
  expect(await readBooks()).toEqual([{ id: 'b1', title: 'Heart', pages: 1 }]);
});

test('of many writers of the same version exactly one is first', async () => {
  for (let version = 1; version <= 5; version += 1) {
    const attempts = Array.from({ length: 8 }, (_, at) =>
      write(
        plans.update('books', allOf(equals('id', 'b1'), equals('pages', version)), {
          changes: { pages: version + 1, title: `Title ${at}` },
          single: true,
        }),
        plans.create('books', { id: `v${version}-${at}`, user_id: 'ben', title: `Title ${at}` }),
      ).then(
        () => at,
        (error) => error.code,
      ),
    );
    const outcomes = await Promise.all(attempts);
    const winners = outcomes.filter((outcome) => typeof outcome === 'number');
    expect(winners).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'NOT_ACCEPTABLE')).toHaveLength(7);
    const books = await readBooks();
    expect(books.find(({ id }) => id === 'b1')?.title).toBe(`Title ${winners[0]}`);
    expect(books.filter(({ id }) => String(id).startsWith(`v${version}-`))).toHaveLength(1);
  }
});

test('rows that are put are created, or take the place of those under their ids', async () => {
  const { created } = await write(
    plans.put('books', [
      { id: 'b1', user_id: 'ada', title: 'Heart', pages: 2 },
      { id: 'b2', user_id: 'ben', title: 'Lung', pages: null },
    ]),
  );
  expect(created).toBe(1);
  expect(await readBooks()).toEqual([
    { id: 'b1', title: 'Heart', pages: 2 },
    { id: 'b2', title: 'Lung', pages: null },
  ]);
});
