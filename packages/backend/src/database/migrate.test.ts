import { openTestEngine, type TestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillInBatches } from '../core/fill-in-batches.ts';
import type { Migration } from '../core/project.ts';
import { authMigrations } from '../services/auth/index.ts';
import { storageMigrations } from '../services/storage/index.ts';
import { migrateToLatest, migrationStates, readRanMigrations, revertMigrations } from './migrate.ts';
import type { Database } from './port.ts';
import { schemaOf } from './schema.ts';

const project = { id: 'library', schema: schemaOf(library) };

let engine: TestEngine;
let database: Database;

beforeEach(async () => {
  engine = await openTestEngine();
  database = await engine.open(project);
});

afterEach(async () => {
  await database.close();
  await engine.close();
});

const making = (table: string): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema.createTable(table).addColumn('id', 'text').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropTable(table).execute();
  },
});

const failingDown: Migration = {
  up: making('half').up,
  async down({ schema }: Kysely<unknown>) {
    await schema.dropTable('half').execute();
    throw new Error('somebody still needs it');
  },
};

const names = async () => (await readRanMigrations(database.reader)).map(({ name }) => name);
const columnsOf = async (table: string) => (await database.columns(table)).map(({ name }) => name);

describe('reverted migrations', () => {
  const migrations = { '0001-a': making('a'), '0002-b': making('b') };

  test('reverting migrations leaves the database as it was before them, and they can run again', async () => {
    await migrateToLatest(database, migrations);
    await revertMigrations(database, migrations, ['0002-b']);
    expect([await columnsOf('a'), await columnsOf('b'), await names()]).toEqual([['id'], [], ['0001-a']]);
    await revertMigrations(database, migrations, ['0001-a']);
    expect([await columnsOf('a'), await names()]).toEqual([[], []]);
    expect(await migrateToLatest(database, migrations)).toEqual(['0001-a', '0002-b']);
  });

  test('migrations are reverted in the order in which they ran, whatever their names are', async () => {
    await migrateToLatest(database, { '0002-b': making('b') });
    await migrateToLatest(database, migrations);
    expect(await names()).toEqual(['0002-b', '0001-a']);
    await revertMigrations(database, migrations, ['0001-a']);
    expect([await columnsOf('a'), await columnsOf('b')]).toEqual([[], ['id']]);
  });

  test('reverting changes nothing when a migration fails, has no down, or is not the last one', async () => {
    const { up } = making('c');
    const bad = { ...migrations, '0003-half': failingDown, '0004-c': { up } };
    await migrateToLatest(database, bad);
    const ran = await names();
    const backTo = (...back: string[]) => revertMigrations(database, bad, back);
    await expect(backTo('0004-c')).rejects.toThrow('Migration "0004-c" cannot be taken back');
    await expect(backTo('0002-b')).rejects.toThrow('Somebody else has changed the database meanwhile');
    const withWayBack = { ...bad, '0004-c': making('c') };
    const both = revertMigrations(database, withWayBack, ['0004-c', '0003-half']);
    await expect(both).rejects.toThrow('Migration "0003-half" failed: somebody still needs it');
    expect(await names()).toEqual(ran);
    for (const table of ['half', 'c']) expect(await columnsOf(table)).toEqual(['id']);
  });

  test('the services’ migrations can all be reverted, leave nothing behind, and can run again', async () => {
    const own = { ...authMigrations, ...storageMigrations };
    const tables = [
      'users',
      'sessions',
      'refresh_tokens',
      'one_time_tokens',
      'identities',
      'audit_log',
      'second_factors',
      'recovery_codes',
      'factor_tries',
    ];
    const describeAll = () => Promise.all([...tables, 'files', 'variants'].map(columnsOf));
    await migrateToLatest(database, own);
    const before = await describeAll();
    for (const name of (await names()).toReversed()) await revertMigrations(database, own, [name]);
    expect((await describeAll()).flat()).toEqual([]);
    await migrateToLatest(database, own);
    expect(await describeAll()).toEqual(before);
  });
});

describe('migrations of two processes', () => {
  test('migrations that two processes start at once run once each', async () => {
    const counted = new Map<string, number>();
    const slow = (table: string): Migration => ({
      async up(transaction) {
        counted.set(table, (counted.get(table) ?? 0) + 1);
        await making(table).up(transaction);
      },
    });
    const migrations = { '0001-a': slow('a'), '0002-b': slow('b') };
    const others = [engine.another(), engine.another()];
    const databases = await Promise.all(others.map((other) => other.open(project)));
    try {
      const ran = await Promise.all([database, ...databases].map((one) => migrateToLatest(one, migrations)));
      expect(ran.filter((names) => names.length > 0)).toEqual([['0001-a', '0002-b']]);
      expect(Object.fromEntries(counted)).toEqual({ a: 1, b: 1 });
    } finally {
      for (const one of databases) await one.close();
      for (const other of others) await other.close();
    }
  });

  test('an older version refuses a database that a newer version has migrated, and changes nothing', async () => {
    await migrateToLatest(database, { '0001-a': making('a'), '0002-b': making('b'), '0003-c': making('c') });
    const older = { '0001-a': making('a'), '0004-d': making('d') };
    const message =
      'A newer version has changed this database (its migrations "0002-b", "0003-c" are unknown here)';
    await expect(migrateToLatest(database, older)).rejects.toThrow(message);
    expect(await columnsOf('d')).toEqual([]);
    const states = migrationStates(await readRanMigrations(database.reader), older);
    expect(states.map(({ name, known, ranAt }) => [name, known, ranAt !== null])).toEqual([
      ['0001-a', true, true],
      ['0002-b', false, true],
      ['0003-c', false, true],
      ['0004-d', true, false],
    ]);
  });
});

describe('migrations of a database that serves', () => {
  const adding = (column: string): Migration => ({
    compatibleWith: 'any',
    async up({ schema }: Kysely<unknown>) {
      await schema.alterTable('a').addColumn(column, 'text').execute();
    },
  });

  test('when a migration fails, those before it stay and it leaves nothing behind', async () => {
    await migrateToLatest(database, { '0001-a': making('a') });
    const failing: Migration = {
      async up({ schema }: Kysely<unknown>) {
        await schema.createTable('half').addColumn('id', 'text').execute();
        throw new Error('the disk is full');
      },
    };
    const later = { '0001-a': making('a'), '0002-b': making('b'), '0003-half': failing };
    await expect(migrateToLatest(database, later)).rejects.toThrow(
      'Migration "0003-half" failed: the disk is full',
    );
    expect([await names(), await columnsOf('half')]).toEqual([['0001-a', '0002-b'], []]);
  });

  test('an older version goes on with compatible migrations, and with others if it knows what they stand on', async () => {
    const older = { '0001-a': making('a') };
    const contracting = { ...making('c'), compatibleWith: '0002-more' };
    const newer = { ...older, '0002-more': adding('more'), '0003-contracted': contracting };
    await migrateToLatest(database, older);
    await migrateToLatest(database, newer);
    const { '0003-contracted': _, ...before } = newer;
    expect(await migrateToLatest(database, before)).toEqual([]);
    await expect(migrateToLatest(database, older)).rejects.toThrow(
      'its migration "0003-contracted" is unknown here',
    );
    await revertMigrations(database, newer, ['0003-contracted']);
    expect(await migrateToLatest(database, older)).toEqual([]);
    expect(await columnsOf('a')).toEqual(['id', 'more']);
  });

  test('an older version goes on where a migration says so for the engine, and on no other', async () => {
    const older = { '0001-a': making('a') };
    await migrateToLatest(database, older);
    for (const [at, named] of (['sqlite', 'postgres'] as const).entries()) {
      const one = { ...making('b'), compatibleWith: { [named]: 'any' } };
      const newer = { ...older, [`000${at + 2}-b`]: one };
      await migrateToLatest(database, newer);
      const starting = migrateToLatest(database, older);
      if (named === database.engine) expect(await starting).toEqual([]);
      else await expect(starting).rejects.toThrow('is unknown here');
      await revertMigrations(database, newer, [`000${at + 2}-b`]);
    }
  });

  test('rows are changed in transactions of their own, and again from the beginning after a crash', async () => {
    const ids = Array.from({ length: 25 }, (_, at) => String(at + 10));
    let failures = 1;
    const filling = fillInBatches(async (db, after = '') => {
      if (after === '19' && failures-- > 0) throw new Error('the power is gone');
      const rows = await db
        .selectFrom('a')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(10)
        .execute();
      const some = rows.map(({ id }) => id);
      await db.updateTable('a').set({ more: 'yes' }).where('id', 'in', some).execute();
      return some.length < 10 ? undefined : some.at(-1);
    });
    const migrations = { '0001-a': making('a'), '0002-more': adding('more') };
    await migrateToLatest(database, migrations);
    await database.writer
      .insertInto('a')
      .values(ids.map((id) => ({ id })))
      .execute();
    const filled = async () =>
      (await database.reader.selectFrom('a').select('id').where('more', '=', 'yes').execute()).length;
    const all = { ...migrations, '0003-filled': filling };
    await expect(migrateToLatest(database, all)).rejects.toThrow('the power is gone');
    expect([await filled(), await names()]).toEqual([10, Object.keys(migrations)]);
    expect(await migrateToLatest(database, all)).toEqual(['0003-filled']);
    expect(await filled()).toBe(25);
  });
});

test('two projects on one server record their migrations separately', async () => {
  const other = await engine.open({ ...project, id: 'other' });
  try {
    await migrateToLatest(database, { '0001-a': making('a') });
    expect(await migrateToLatest(other, { '0001-z': making('z') })).toEqual(['0001-z']);
    expect(await names()).toEqual(['0001-a']);
  } finally {
    await other.close();
  }
});
