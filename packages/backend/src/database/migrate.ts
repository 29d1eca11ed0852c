import type { Kysely, Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { ProjectDefinition } from '../core/project.ts';
import type { Database } from './port.ts';

export type Migrations = Readonly<Record<string, Migration>>;

/** Returns all migrations of a project's database, the services' own among them; throws an Error for a name that is not allowed. */
export type MigrationsOf = (definition: ProjectDefinition) => Migrations;

/** Where Kysely notes what has run. */
export const MIGRATION_TABLE = 'kysely_migration';
export const MIGRATION_LOCK_TABLE = 'kysely_migration_lock';

/** The tables of the migrations themselves, which no project may define or open. */
export const migrationTables: readonly string[] = [MIGRATION_TABLE, MIGRATION_LOCK_TABLE];

/** A migration that has run, as the database remembers it. */
export interface RanMigration {
  name: string;
  /** ISO 8601. */
  timestamp: string;
}

/** What has become of a migration in one database. */
export interface MigrationState {
  name: string;
  /** Epoch ms; null: it has not run. */
  ranAt: number | null;
  /** False for one that this program does not have: a newer one has run it. */
  known: boolean;
  /** Whether it has a `down`, by which it can be taken back. */
  reversible: boolean;
}

interface MigrationTables {
  [MIGRATION_TABLE]: RanMigration;
}

/**
 * Runs the migrations that this database has not seen, in the order of their names and in one transaction: after a
 * failure, which is thrown with the migration's name, the database is as it was. Of several processes that do so at
 * once, one runs them and the others find them done. Throws as well when a newer program has changed the database.
 * Answers the names of those that ran.
 */
export async function migrateToLatest(database: Database, migrations: Migrations): Promise<string[]> {
  return database.exclusively((transaction) => migrate(transaction, migrations));
}

/** The same within a transaction that nobody else's is beside. */
export async function migrate(transaction: Transaction<unknown>, migrations: Migrations): Promise<string[]> {
  await makeMigrationTables(transaction);
  requireKnown(await readRanMigrations(transaction), migrations);
  return runMigrator(transaction, migrations, (migrator) => migrator.migrateToLatest());
}

/**
 * Takes the last migrations back, the latest first, in one transaction. `names` are those that may be taken back, in
 * that order: throws when the database has others, as after somebody else's migration in between.
 */
export async function takeBackMigrations(
  database: Database,
  migrations: Migrations,
  names: readonly string[],
): Promise<void> {
  await database.exclusively(async (transaction) => {
    const ran = (await readRanMigrations(transaction)).toReversed();
    requireKnown(ran, migrations);
    if (names.some((name, at) => ran[at]?.name !== name)) {
      throw new Error('Somebody else has changed the database meanwhile: look at "fabrica migrate status".');
    }
    for (const name of names) {
      await runMigrator(transaction, migrations, (migrator) => migrator.migrateDown(), name);
    }
  });
}

/** In the order in which they ran; none where none ever did. */
export async function readRanMigrations(database: Kysely<unknown>): Promise<RanMigration[]> {
  const ran = await (database as Kysely<MigrationTables>)
    .selectFrom(MIGRATION_TABLE)
    .select(['name', 'timestamp'])
    .execute();
  return sortRan(ran);
}

/** In the order in which they ran. */
export function sortRan(ran: readonly RanMigration[]): RanMigration[] {
  return ran.toSorted(
    (left, right) =>
      Date.parse(left.timestamp) - Date.parse(right.timestamp) || compareNames(left.name, right.name),
  );
}

/** Every migration that there is or has been, those that have run first and in their order. */
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

/** Those that have run elsewhere. Throws a sentence when one of them is unknown. */
export function pickMigrations(migrations: Migrations, ran: readonly RanMigration[]): Migrations {
  requireKnown(ran, migrations);
  return Object.fromEntries(
    Object.entries(migrations).filter(([name]) => ran.some((one) => one.name === name)),
  );
}

/** Throws a sentence when the database has run what this program does not have. */
export function requireKnown(ran: readonly RanMigration[], migrations: Migrations): void {
  const unknown = ran.filter(({ name }) => !Object.hasOwn(migrations, name)).map(({ name }) => `"${name}"`);
  if (unknown.length === 0) return;
  const which = unknown.length === 1 ? `migration ${unknown[0]} is` : `migrations ${unknown.join(', ')} are`;
  throw new Error(
    `A newer version has changed this database (its ${which} unknown here): start that version, or restore a backup of before.`,
  );
}

/**
 * Kysely's migrator makes these itself, but looks for them in all of a PostgreSQL database, where those of another
 * project would do.
 */
async function makeMigrationTables({ schema }: Transaction<unknown>): Promise<void> {
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
}

type Step = (migrator: Migrator) => ReturnType<Migrator['migrateToLatest']>;

/** Answers what was done; throws what a migration threw, with its name, or when it was not `expected`. */
async function runMigrator(
  transaction: Transaction<unknown>,
  migrations: Migrations,
  step: Step,
  expected?: string,
): Promise<string[]> {
  let failure: { name: string; error: unknown } | undefined;
  // The first error is what went wrong: a transaction that has failed may refuse what the migrator does afterwards.
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
): Record<string, Migration> {
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
