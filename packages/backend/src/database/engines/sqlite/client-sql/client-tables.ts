import type { DatabaseSync } from 'node:sqlite';
import { NotAllowed } from '../../../sql/statement-error.ts';
import { RESERVED_PREFIX } from './record-changes.ts';

/** Names the tables and views that clients have made; all others are made by migrations. */
export const CLIENT_TABLES = 'fabrica_client_tables';

/** What there is in a file, and what of it clients have made. */
export interface KnownTables {
  all: ReadonlySet<string>;
  ofClients: ReadonlySet<string>;
}

export function readTables(connection: DatabaseSync): KnownTables {
  const names = (sql: string) =>
    new Set(
      connection
        .prepare(sql)
        .all()
        .map(({ name }) => String(name)),
    );
  const all = names(
    `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  );
  return { all, ofClients: all.has(CLIENT_TABLES) ? names(`SELECT name FROM ${CLIENT_TABLES}`) : new Set() };
}

/** Notes what the batch has made and removed. Throws NotAllowed for a name that is the server's own. */
export function noteTables(connection: DatabaseSync, { all: before }: KnownTables): void {
  const { all: after } = readTables(connection);
  const made = [...after].filter((name) => !before.has(name));
  const gone = [...before].filter((name) => !after.has(name));
  const taken = made.find((name) => name.toLowerCase().startsWith(RESERVED_PREFIX));
  if (taken !== undefined) throw nameIsReserved(taken);
  if (made.length === 0 && gone.length === 0) return;
  connection.exec(
    `CREATE TABLE IF NOT EXISTS ${CLIENT_TABLES} (name TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID`,
  );
  const add = connection.prepare(`INSERT OR IGNORE INTO ${CLIENT_TABLES} VALUES (?)`);
  const remove = connection.prepare(`DELETE FROM ${CLIENT_TABLES} WHERE name = ?`);
  for (const name of made) add.run(name);
  for (const name of gone) remove.run(name);
}

export function nameIsReserved(name: string): NotAllowed {
  return new NotAllowed(
    `names that begin with "${RESERVED_PREFIX}" are the server's own, and so is "${name}".`,
  );
}
