import type { Kysely, Transaction } from 'kysely';
import { type Migration as KyselyMigration, Migrator } from 'kysely/migration';
import type { Migration, ProjectDefinition } from '../core/project.ts';
import {
  createCompatibilityTable,
  forgetCompatible,
  newerDatabase,
  recordCompatible,
  requireCompatible,
} from './compatible-migrations.ts';
import { MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from './migration-tables.ts';
import type { Database } from './port.ts';

export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Returns all migrations of a project's database, the services' own among them; throws an Error for a name that is
 * not allowed.
 */
export type MigrationsOf = (definition: ProjectDefinition) => Migrations;

/** A migration that has run, as the database records it. */
export interface RanMigration {
  name: string;
  /** ISO 8601. */
  timestamp: string;
}

/** The state of a migration in one database. */
export interface MigrationState {
  name: string;
  /** Epoch ms; null when the migration has not run. */
  ranAt: number | null;
  /** False when this program does not have the migration: a newer version has run it. */
  known: boolean;
  /** Whether the migration has a `down`. */
  reversible: boolean;
}

interface MigrationTables {
  [MIGRATION_TABLE]: RanMigration;
}

/**
 * Runs the migrations that this database lacks, in the order of their names. An empty database gets all of them in one
 * transaction; in one that others may be using, each has a transaction of its own, so that it holds locks for a moment only, and rows are
 * changed some at a time. When one fails, the error has its name and those before it stay. When several processes call this at once, each
 * migration runs once. Throws when a newer version has changed the database so that this program cannot go on with it. What `check`
 * throws takes the last migration back.
 */
export async function migrateToLatest(
  database: Database,
  migrations: Migrations,
  check: (transaction: Transaction<unknown>) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const { done, pending } = await database.exclusively(async (transaction) => {
    const state = await migrateIfEmpty(transaction, migrations);
    if (state.done.length > 0) await check(transaction);
    return state;
  });
  for (const name of pending) {
    const { fill } = migrations[name] ?? {};
    if (fill) await fillInSteps(database, fill);
    const ran = await database.exclusively(async (transaction) => {
      const names = await migrateOne(transaction, migrations, name);
      if (name === pending.at(-1)) await check(transaction).catch(takenBack(name));
      return names;
    });
    done.push(...ran);
  }
  return done;
}

function takenBack(name: string) {
  return (cause: Error): never => {
    throw new Error(`Migration "${name}" is taken back: ${cause.message}`, { cause });
  };
}

/** Runs all migrations within one exclusive transaction, and returns the names of those that ran. */
export async function migrate(transaction: Transaction<unknown>, migrations: Migrations): Promise<string[]> {
  await createMigrationTables(transaction);
  const { unknown } = await readState(transaction, migrations);
  const done = await runMigrator(transaction, { ...migrations, ...unknown }, (migrator) =>
    migrator.migrateToLatest(),
  );
  await recordCompatible(transaction, pick(migrations, done));
  return done;
}

/** Runs all migrations of an empty database. Returns their names, or those of the migrations that another one lacks. */
async function migrateIfEmpty(
  transaction: Transaction<unknown>,
  migrations: Migrations,
): Promise<{ done: string[]; pending: string[] }> {
  await createMigrationTables(transaction);
  const { ran } = await readState(transaction, migrations);
  if (ran.length === 0) return { done: await migrate(transaction, migrations), pending: [] };
  const pending = Object.keys(migrations).filter((name) => !ran.includes(name));
  return { done: [], pending: pending.sort(compareNames) };
}

/** Runs one migration, unless another process has run it meanwhile. Its rows are changed by then. */
async function migrateOne(
  transaction: Transaction<unknown>,
  migrations: Migrations,
  name: string,
): Promise<string[]> {
  const { ran, unknown } = await readState(transaction, migrations);
  const one = migrations[name];
  const known = { ...pick(migrations, [...ran, name]), ...(one?.fill && { [name]: { ...one, ...NOTHING } }) };
  const done = await runMigrator(transaction, { ...known, ...unknown }, (migrator) =>
    migrator.migrateToLatest(),
  );
  await recordCompatible(transaction, pick(migrations, done));
  return done;
}

/** Changes rows some at a time, each time in a transaction of its own. */
async function fillInSteps(database: Database, fill: NonNullable<Migration['fill']>): Promise<void> {
  let after: string | undefined;
  do {
    const from = after;
    after = await database.exclusively((transaction) => fill(transaction, from));
  } while (after !== undefined);
}

const NOTHING: Migration = { up: async () => undefined };

/** Returns the names that have run, and migrations that do nothing in the place of unknown ones of a newer version. */
async function readState(
  transaction: Transaction<unknown>,
  migrations: Migrations,
): Promise<{ ran: string[]; unknown: Migrations }> {
  const ran = await readRanMigrations(transaction);
  const unknown = await requireCompatible(transaction, ran, migrations);
  return {
    ran: ran.map(({ name }) => name),
    unknown: Object.fromEntries(unknown.map((name) => [name, NOTHING])),
  };
}

function pick(migrations: Migrations, names: readonly string[]): Migrations {
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
}

/**
 * Reverts migrations in one transaction. `names` are the last ones, the latest first; throws when the last migrations
 * of the database are others, as after a migration by another process in between.
 */
export async function revertMigrations(
  database: Database,
  migrations: Migrations,
  names: readonly string[],
): Promise<void> {
  await database.exclusively(async (transaction) => {
    const ran = (await readRanMigrations(transaction)).toReversed();
    requireKnown(ran, migrations);
    if (names.some((name, index) => ran[index]?.name !== name)) {
      throw new Error('Somebody else has changed the database meanwhile: look at "fabrica migrate status".');
    }
    for (const name of names) {
      await runMigrator(transaction, migrations, (migrator) => migrator.migrateDown(), name);
    }
    await forgetCompatible(transaction, names);
  });
}

/** Returns the migrations that have run, in the order in which they ran. */
export async function readRanMigrations(database: Kysely<unknown>): Promise<RanMigration[]> {
  const ran = await (database as Kysely<MigrationTables>)
    .selectFrom(MIGRATION_TABLE)
    .select(['name', 'timestamp'])
    .execute();
  return sortRan(ran);
}

/** Sorts migrations by the time when they ran. */
export function sortRan(ran: readonly RanMigration[]): RanMigration[] {
  return ran.toSorted(
    (left, right) =>
      Date.parse(left.timestamp) - Date.parse(right.timestamp) || compareNames(left.name, right.name),
  );
}

/** Returns the state of every migration that exists or has run: first those that have run, in their order. */
export function migrationStates(ran: readonly RanMigration[], migrations: Migrations): MigrationState[] {
  const done = ran.map(({ name, timestamp }) => ({
    name,
    ranAt: Date.parse(timestamp),
    known: Object.hasOwn(migrations, name),
    reversible: migrations[name]?.down !== undefined,
  }));
  const pending = Object.keys(migrations)
    .filter((name) => !ran.some((one) => one.name === name))
    .sort()
    .map((name) => ({
      name,
      ranAt: null,
      known: true,
      reversible: migrations[name]?.down !== undefined,
    }));
  return [...done, ...pending];
}

/** Returns the migrations that have run in another database. Throws when one of them is unknown. */
export function pickMigrations(migrations: Migrations, ran: readonly RanMigration[]): Migrations {
  requireKnown(ran, migrations);
  return pick(
    migrations,
    ran.map(({ name }) => name),
  );
}

/** Throws when the database has run a migration that this program does not have. */
export function requireKnown(ran: readonly RanMigration[], migrations: Migrations): void {
  const unknown = ran.filter(({ name }) => !Object.hasOwn(migrations, name)).map(({ name }) => name);
  if (unknown.length > 0) throw newerDatabase(unknown);
}

/**
 * Creates the migrator's tables. The migrator would create them itself, but looks for them in the whole PostgreSQL
 * database, where it finds those of another project.
 */
async function createMigrationTables({ schema }: Transaction<unknown>): Promise<void> {
  await schema
    .createTable(MIGRATION_TABLE)
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  await schema
    .createTable(MIGRATION_LOCK_TABLE)
    .ifNotExists()
    .addColumn('id', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('is_locked', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await createCompatibilityTable(schema);
}

type Step = (migrator: Migrator) => ReturnType<Migrator['migrateToLatest']>;

/**
 * Runs a step of the migrator and returns the names of the migrations that ran. Throws the error of a migration with
 * its name, or an error when another migration ran than `expected`.
 */
async function runMigrator(
  transaction: Transaction<unknown>,
  migrations: Migrations,
  step: Step,
  expected?: string,
): Promise<string[]> {
  let failure: { name: string; error: unknown } | undefined;
  // The first error is the cause: after it, the failed transaction may refuse the migrator's own statements.
  const watched = watch(migrations, (name, error) => {
    failure ??= { name, error };
  });
  const migrator = new Migrator({
    db: transaction,
    provider: { getMigrations: async () => watched },
    // A service may bring a table of its own to a project whose migrations have run already.
    allowUnorderedMigrations: true,
    nameComparator: compareNames,
  });
  const { error, results = [] } = await step(migrator);
  if (failure) throw failed(failure.error, `"${failure.name}" `);
  if (error) throw failed(error);
  const done = results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
  if (expected !== undefined && done[0] !== expected) {
    throw new Error(`Migration "${expected}" cannot be taken back: it has no way back.`);
  }
  return done;
}

function watch(
  migrations: Migrations,
  note: (name: string, error: unknown) => void,
): Record<string, KyselyMigration> {
  const noting = (name: string, run: Migration['up']): Migration['up'] => {
    return async (transaction) => {
      try {
        await run(transaction);
      } catch (error) {
        note(name, error);
        throw error;
      }
    };
  };
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up, down }]) => [
      name,
      { up: noting(name, up), ...(down && { down: noting(name, down) }) },
    ]),
  );
}

function failed(cause: unknown, which = ''): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`Migration ${which}failed: ${reason}`, { cause });
}

function compareNames(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
