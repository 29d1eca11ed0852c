import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Migration } from '../core/project.ts';

/** Names what requests for a table of PostgreSQL wait for while a migration runs. */
export interface LockedTable {
  table: string;
  /** `all`: reads and writes wait; `writes`: reads go on. */
  waits: 'all' | 'writes';
}

/** Statements by what waits for them; the first group is the table. PostgreSQL's manual, 13.3 "Explicit locking". */
const LOCKING: readonly [RegExp, LockedTable['waits']][] = [
  [/^alter table (?:if exists )?(?:only )?(\S+)/, 'all'],
  [/^drop (?:table|view) (?:if exists )?(\S+)/, 'all'],
  [/^truncate (?:table )?(\S+)/, 'all'],
  [/^drop trigger (?:if exists )?\S+ on (\S+)/, 'all'],
  [/^create (?:unique )?index (?!concurrently).* on (\S+)/, 'writes'],
  [/^create (?:or replace )?(?:constraint )?trigger .* on (\S+)/, 'writes'],
  [/^create table .* references (\S+)/, 'writes'],
];
const CREATED = /^create (?:or replace )?(?:table|view) (?:if not exists )?(\S+)/;

/**
 * Returns the tables of before that requests wait for while these migrations run, by the statements that they would send: nothing
 * is sent. `undefined` stands for a migration whose statements depend on what it reads.
 */
export async function findLockedTables(
  migrations: readonly [name: string, Migration][],
): Promise<ReadonlyMap<string, LockedTable[] | undefined>> {
  const created = new Set<string>();
  const found = new Map<string, LockedTable[] | undefined>();
  for (const [name, migration] of migrations) {
    const statements = await recordStatements(migration).catch(() => undefined);
    found.set(name, statements && lockedBy(statements, created));
  }
  return found;
}

function lockedBy(statements: readonly string[], created: Set<string>): LockedTable[] {
  const locked = new Map<string, LockedTable>();
  for (const statement of statements) {
    const made = CREATED.exec(statement)?.[1];
    if (made !== undefined) created.add(nameOf(made));
    for (const [pattern, waits] of LOCKING) {
      const table = nameOf(pattern.exec(statement)?.[1] ?? '');
      if (table === '' || created.has(table) || locked.get(table)?.waits === 'all') continue;
      locked.set(table, { table, waits });
    }
  }
  return [...locked.values()];
}

function nameOf(quoted: string): string {
  return quoted.replace(/["(),;]/g, '');
}

/** Returns the statements that a migration sends to a database that answers each of them with no rows. */
async function recordStatements({ up, fill }: Migration): Promise<string[]> {
  // A migration that changes rows some at a time locks no table.
  if (fill) return [];
  const statements: string[] = [];
  const recorder = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log({ query }) {
      statements.push(flat(query));
    },
  });
  await up(recorder);
  return statements;
}

function flat({ sql }: CompiledQuery): string {
  return sql.replace(/\s+/g, ' ').trim().toLowerCase();
}
