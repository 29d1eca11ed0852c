import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteSnapshot, sumsOf, type TableSum } from '../database/transfer/index.ts';
import { findDamaged } from './file-sums.ts';
import { type Manifest, type ProjectBackup, readManifest } from './manifest.ts';

/** Reads all of a backup and returns its manifest. Throws when anything in it is not as it was written. */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const damaged = await findDamaged(folder, manifest.sums);
  if (damaged.length > 0) {
    const more = damaged.length > 1 ? ` and ${damaged.length - 1} more` : '';
    throw new Error(`The backup ${folder} is damaged: ${damaged[0]}${more} is not as it was written.`);
  }
  for (const project of manifest.projects) await checkDatabase(folder, project);
  return manifest;
}

async function checkDatabase(folder: string, { id, tables, migrations }: ProjectBackup): Promise<void> {
  const path = join(folder, `${id}.sqlite`);
  requireIntact(path);
  const snapshot = openSqliteSnapshot(path);
  try {
    const ran = snapshot.ran.map(({ name }) => name);
    const isSame = isSameAs(tables, await sumsOf(snapshot));
    if (isSame && ran.join() === migrations.map(({ name }) => name).join()) return;
  } finally {
    await snapshot.close();
  }
  throw new Error(`The backup ${folder} is damaged: its manifest is not that of its database ${id}.sqlite.`);
}

/** Throws when SQLite finds a database file damaged. The quick check leaves out whether indexes have what their tables have. */
export function requireIntact(
  path: string,
  check: 'integrity_check' | 'quick_check' = 'integrity_check',
): void {
  const connection = new DatabaseSync(path, { readOnly: true });
  try {
    const [found] = connection.prepare(`PRAGMA ${check}(1)`).all();
    if (found?.[check] === 'ok') return;
  } finally {
    connection.close();
  }
  throw new Error(`The database ${basename(path)} is damaged.`);
}

/** Returns whether two lists have the same tables with the same rows. */
function isSameAs(left: readonly TableSum[], right: readonly TableSum[]): boolean {
  return differencesOf(left, right).length === 0;
}

/** Returns a clause for each table that is not in `found` as it was `expected`. */
export function differencesOf(expected: readonly TableSum[], found: readonly TableSum[]): string[] {
  const names = new Set([...expected, ...found].map(({ table }) => table));
  return [...names].flatMap((name) => {
    const [before, after] = [expected, found].map((sums) => sums.find(({ table }) => table === name));
    if (!after) return [`${name} is missing`];
    if (!before) return [`${name} is new`];
    if (before.rows !== after.rows) return [`${name} has ${after.rows} rows and not ${before.rows}`];
    return before.sha256 === after.sha256 ? [] : [`${name} has other values in its ${after.rows} rows`];
  });
}
