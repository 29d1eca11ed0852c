import { type Kysely, type SchemaModule, SqliteAdapter, type Transaction } from 'kysely';
import { UnusableDataError } from '../core/errors.ts';
import type { Migration } from '../core/project.ts';
import { COMPATIBILITY_TABLE } from './migration-tables.ts';
import type { Database } from './port.ts';

interface CompatibilityTables {
  [COMPATIBILITY_TABLE]: {
    /** The name of a migration that has run. */
    name: string;
    /** `any`, or the name of the migration that an older program must know. */
    compatible_with: string;
  };
}

type Migrations = Readonly<Record<string, Migration>>;

export async function createCompatibilityTable(schema: SchemaModule): Promise<void> {
  await schema
    .createTable(COMPATIBILITY_TABLE)
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('compatible_with', 'varchar(255)', (column) => column.notNull())
    .execute();
}

/** Returns which older programs go on after a migration on this engine: `any`, or those that know the one of this name. */
export function compatibilityOn(
  engine: Database['engine'],
  { compatibleWith }: Migration,
): string | undefined {
  return typeof compatibleWith === 'object' ? compatibleWith[engine] : compatibleWith;
}

/** Records which older programs go on with the tables as these migrations have left them. */
export async function recordCompatible(
  transaction: Transaction<unknown>,
  migrations: Migrations,
): Promise<void> {
  const engine = transaction.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  for (const [name, migration] of Object.entries(migrations)) {
    const compatible_with = compatibilityOn(engine, migration);
    if (compatible_with === undefined) continue;
    await on(transaction)
      .insertInto(COMPATIBILITY_TABLE)
      .values({ name, compatible_with })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ compatible_with }))
      .execute();
  }
}

export async function forgetCompatible(
  transaction: Transaction<unknown>,
  names: readonly string[],
): Promise<void> {
  await on(transaction).deleteFrom(COMPATIBILITY_TABLE).where('name', 'in', names).execute();
}

/**
 * Returns the names of the migrations that a newer version has run and that this program can go on without. Throws when it
 * cannot go on without one of them.
 */
export async function requireCompatible(
  transaction: Transaction<unknown>,
  ran: readonly { name: string }[],
  migrations: Migrations,
): Promise<string[]> {
  const unknown = ran.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return [];
  const rows = await on(transaction).selectFrom(COMPATIBILITY_TABLE).selectAll().execute();
  const isCompatible = (name: string) => {
    const needed = rows.find((row) => row.name === name)?.compatible_with;
    return needed === 'any' || (needed !== undefined && Object.hasOwn(migrations, needed));
  };
  const others = unknown.filter((name) => !isCompatible(name));
  if (others.length > 0) throw newerDatabase(others);
  return unknown;
}

/** Returns the error of a program that is too old for the database. */
export function newerDatabase(names: readonly string[]): Error {
  const quoted = names.map((name) => `"${name}"`);
  const which = quoted.length === 1 ? `migration ${quoted[0]} is` : `migrations ${quoted.join(', ')} are`;
  return new UnusableDataError(
    `A newer version has changed this database (its ${which} unknown here): start that version, or restore a backup of before.`,
  );
}

function on(transaction: Transaction<unknown>): Kysely<CompatibilityTables> {
  return transaction as unknown as Kysely<CompatibilityTables>;
}
