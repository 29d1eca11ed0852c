import {
  openTestDatabase,
  type SendTestRequest,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { queryOf, requestPathOf, tableOf } from '@fabrica/backend/testing/database/build-test-query.ts';
import {
  compareRows,
  evaluated,
  type TestQuery,
  type TestTable,
} from '@fabrica/backend/testing/database/evaluate-test-query.ts';
import fc from 'fast-check';
import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../core/bus.ts';
import type { Filter } from '../../core/filter.ts';
import type { Column, Table } from '../../core/project.ts';
import { defineProject } from '../../project-database.ts';

/** One table for each seed: both engines get the same tables, rows and queries. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const QUERIES_PER_TABLE = 50;

const tables = SEEDS.map((seed) => {
  const [table] = fc.sample(tableOf(`random_${seed}`), { seed, numRuns: 1 });
  if (!table) throw new Error('A table was asked for.');
  return table;
});

const migration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const { name, columns, keys } of tables) {
      let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
      for (const [column, { type, nullable }] of Object.entries(columns)) {
        table = table.addColumn(column, type === 'text' ? 'text' : 'bigint', (rule) => {
          const bound = nullable ? rule : rule.notNull();
          return column === 'id' ? bound.primaryKey() : bound;
        });
      }
      for (const [index, key] of keys.entries()) {
        table = table.addUniqueConstraint(`${name}_key_${index}`, [...key]);
      }
      await table.execute();
    }
  },
};

const definition = defineProject({
  id: 'random',
  tables: Object.fromEntries(
    tables.map(({ name, columns, policy }): [string, Table] => [
      name,
      {
        columns: Object.fromEntries(
          Object.entries(columns).map(([column, { type, nullable }]): [string, Column] => [
            column,
            type === 'text' ? { type, nullable, max: 1_000 } : { type, nullable },
          ]),
        ),
        policies: { anonymous: { read: policy } },
      },
    ]),
  ),
  roles: { member: { permissions: [] } },
  signUpRole: 'member',
  origins: [],
  migrations: { 'random-0001-tables': migration },
});

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase(definition);
  for (const { name, rows } of tables) {
    const { status, body } = await db.service('POST', name, { body: rows });
    expect(status, JSON.stringify(body)).toBe(201);
  }
});

afterAll(() => db.close());

const exact = { prefer: 'count=exact' };

async function expectRows(
  send: SendTestRequest,
  table: TestTable,
  query: TestQuery,
  policy?: Filter,
): Promise<void> {
  const whole = evaluated(table, query, policy);
  const { limit, offset } = query;
  const page = whole.slice(offset ?? 0, (offset ?? 0) + (limit ?? whole.length));
  const more = {
    ...(limit !== undefined && { limit: String(limit) }),
    ...(offset !== undefined && { offset: String(offset) }),
  };
  const response = await send('GET', requestPathOf(table, query, more), { headers: exact });
  const range = page.length > 0 ? `${offset ?? 0}-${(offset ?? 0) + page.length - 1}` : '*';
  expect([response.status, response.body, response.headers.get('content-range')]).toEqual([
    200,
    page,
    `${range}/${whole.length}`,
  ]);
}

/** Reads every page by the cursor of the one before. */
async function expectWalk(table: TestTable, query: TestQuery, limit: number): Promise<void> {
  const whole = evaluated(table, query);
  const seen: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: Record<string, string> = { limit: String(limit), ...(cursor && { cursor }) };
    const response = await db.service('GET', requestPathOf(table, query, more), { headers: exact });
    expect([response.status, response.headers.get('content-range')?.split('/')[1]]).toEqual([
      200,
      String(whole.length),
    ]);
    seen.push(...response.body);
    cursor = response.headers.get('x-next-cursor');
    expect(seen.length, 'the walk has an end').toBeLessThanOrEqual(whole.length);
  }
  expect(seen).toEqual(whole);
}

test.each(tables)('any query on $name returns what the same query on plain rows returns', async (table) => {
  await fc.assert(
    fc.asyncProperty(queryOf(table), fc.integer({ min: 1, max: 9 }), async (query, limit) => {
      await expectRows(db.service, table, query);
      await expectRows(db.anonymous, table, query, table.policy);
      await expectWalk(table, query, limit);
    }),
    { numRuns: QUERIES_PER_TABLE, seed: SEEDS[tables.indexOf(table)] ?? 0 },
  );
});

test.each(tables.filter(({ keys }) => keys.length > 0))(
  'a unique key of $name refuses a second row, and upserts find the first',
  async (table) => {
    for (const key of table.keys) {
      const draft = Object.fromEntries(
        Object.entries(table.columns)
          .filter(([name]) => name !== 'id' && !key.includes(name))
          .map(([name, { type }]) => [name, type === 'text' ? 'changed' : 77]),
      );
      for (const row of table.rows.filter((one) => key.every((column) => one[column] !== null)).slice(0, 3)) {
        const same = Object.fromEntries(key.map((column) => [column, row[column] ?? null]));
        const body = { ...draft, ...same };
        const refused = await db.service('POST', table.name, { body: { ...row, id: 'another-id' } });
        expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
        const ignored = await db.service('POST', `${table.name}?on_conflict=${key.toReversed().join()}`, {
          body,
          headers: { prefer: 'resolution=ignore-duplicates,return=representation' },
        });
        expect([ignored.status, ignored.body]).toEqual([200, []]);
      }
    }
    const { body } = await db.service('GET', `${table.name}?order=id`);
    expect(body).toEqual(table.rows.toSorted(compareRows([])));
  },
);
