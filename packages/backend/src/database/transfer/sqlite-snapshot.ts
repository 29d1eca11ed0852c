import { DatabaseSync } from 'node:sqlite';
import { type RanMigration, sortRan } from '../migrate.ts';
import { MIGRATION_TABLE } from '../migration-tables.ts';
import type { Snapshot } from './snapshot.ts';
import { describeSqlite, readSqlite } from './sqlite-tables.ts';

/** Milliseconds that opening may wait for a process that is recovering the file. */
const BUSY_MS = 10_000;

/** Bytes of the file that are mapped into memory: reading in the order of the key jumps within the file. */
const MAPPED_BYTES = 2 * 1024 ** 3;

/** Opens a snapshot of a file, which later writes do not change. Reading it does not block writers. */
export function openSqliteSnapshot(path: string): Snapshot {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    connection.exec(`PRAGMA mmap_size = ${MAPPED_BYTES}; BEGIN;`);
    return {
      ...describeSqlite(connection),
      ran: readRan(connection),
      read: (table) => readSqlite(connection, table),
      close: async () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function readRan(connection: DatabaseSync): RanMigration[] {
  const [table] = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').all(MIGRATION_TABLE);
  if (!table) return [];
  const ran = connection.prepare(`SELECT name, timestamp FROM ${MIGRATION_TABLE}`).all();
  return sortRan(ran.map(({ name, timestamp }) => ({ name: String(name), timestamp: String(timestamp) })));
}
