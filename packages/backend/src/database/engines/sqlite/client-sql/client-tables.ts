import type { DatabaseSync } from 'node:sqlite';
import { nameIsReserved, RESERVED_PREFIX } from '../../../sql/statement-error.ts';

/** The table of names of the tables and views that clients have created; all others come from migrations. */
export const CLIENT_TABLES = 'fabrica_client_tables';

/** The tables and views of a file. */
interface FileTables {
  all: ReadonlySet<string>;
  /** The ones that clients have created. */
  ofClients: ReadonlySet<string>;
}

export function readFileTables(connection: DatabaseSync): FileTables {
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

/** Records the tables that the batch has created and dropped. Throws NotAllowed for a reserved name. */
export function recordClientTables(connection: DatabaseSync, { all: before }: FileTables): void {
  const { all: after } = readFileTables(connection);
  const created = [...after].filter((name) => !before.has(name));
  const dropped = [...before].filter((name) => !after.has(name));
  const reserved = created.find((name) => name.toLowerCase().startsWith(RESERVED_PREFIX));
  if (reserved !== undefined) throw nameIsReserved(reserved);
  if (created.length === 0 && dropped.length === 0) return;
  connection.exec(
    `CREATE TABLE IF NOT EXISTS ${CLIENT_TABLES} (name TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID`,
  );
  const add = connection.prepare(`INSERT OR IGNORE INTO ${CLIENT_TABLES} VALUES (?)`);
  const remove = connection.prepare(`DELETE FROM ${CLIENT_TABLES} WHERE name = ?`);
  for (const name of created) add.run(name);
  for (const name of dropped) remove.run(name);
}
