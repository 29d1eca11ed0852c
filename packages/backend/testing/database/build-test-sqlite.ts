import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSqliteEngine, type SqliteOptions } from '../../src/database/engines/sqlite/sqlite-engine.ts';
import { migrateToLatest } from '../../src/database/migrate.ts';
import type { Database, WriteOutcome, WritePlan } from '../../src/database/port.ts';
import { schemaOf } from '../../src/database/schema.ts';
import { permissionOf } from '../../src/services/rest/authorize.ts';
import { buildBook, library } from './build-test-library.ts';

/** A folder of SQLite databases, which is removed when it is closed. */
export interface TestFolder {
  folder: string;
  /** Opens the library, migrated. */
  open(id: string): Promise<Database>;
  /** Opens the file of a database as another process would. */
  another(id: string): DatabaseSync;
  close(): Promise<void>;
}

export function openTestFolder(options: SqliteOptions = {}): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-sqlite-'));
  const engine = createSqliteEngine(folder, options);
  const opened: { close(): unknown }[] = [];
  return {
    folder,
    async open(id) {
      const database = await openLibrary(engine, id);
      opened.push(database);
      return database;
    },
    another(id) {
      const connection = new DatabaseSync(join(folder, `${id}.sqlite`), { timeout: 5_000 });
      opened.push({ close: () => connection.isOpen && connection.close() });
      return connection;
    },
    async close() {
      for (const one of opened.reverse()) await one.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function openLibrary(
  engine: ReturnType<typeof createSqliteEngine>,
  id: string,
): Promise<Database> {
  const database = await engine.open({ id, schema: schemaOf(library) });
  await migrateToLatest(database, library.migrations);
  return database;
}

const schema = schemaOf(library);

/** Builds the plan with which the service role creates a row. */
export function planRow(name: string, row: Record<string, string | number>): WritePlan {
  const table = schema.get(name);
  if (!table) throw new Error(`The library has no ${name}.`);
  return {
    kind: 'create',
    table: name,
    permission: permissionOf(table, { kind: 'service' }),
    rows: [row],
    clock: { now: 1, serverStamps: false },
    conflictTarget: undefined,
    onConflict: 'update',
    single: false,
  };
}

export function createBook(database: Database, id: string): Promise<WriteOutcome> {
  return database.write(planRow('books', { ...buildBook({}), id } as Record<string, string>));
}

/** Returns the ids of all books. */
export async function bookIds(database: Database): Promise<string[]> {
  const rows = await database.query('SELECT id FROM books ORDER BY id', []);
  return rows.map(({ id }) => String(id));
}
