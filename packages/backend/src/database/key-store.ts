import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transaction } from 'kysely';
import { UnusableDataError } from '../core/errors.ts';
import type { KeyStore } from '../core/keys.ts';
import {
  deriveSealingKey,
  MASTER_KEY_FILE,
  makeMasterKey,
  readIfPresent,
  readMasterKey,
} from '../core/master-key.ts';
import type { Migration } from '../core/project.ts';
import { seal, unseal } from '../core/seal.ts';
import type { Database } from './port.ts';

const TABLE = 'server_keys';

interface KeyTables {
  [TABLE]: {
    name: string;
    /** The key, sealed with the master key. */
    sealed: string;
    /** Epoch ms. */
    changed_at: number;
  };
}

/** The table of the keys of all projects, in the main project's database, which no project may define or open. */
export const keyTables: readonly string[] = [TABLE];

export const keyMigrations: Record<string, Migration> = {
  '0015-server-keys': {
    async up({ schema }) {
      await schema
        .createTable(TABLE)
        .addColumn('name', 'text', (column) => column.primaryKey().notNull())
        .addColumn('sealed', 'text', (column) => column.notNull())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .execute();
    },
    async down({ schema }) {
      await schema.dropTable(TABLE).execute();
    },
  },
};

/** The folder, within the folder of keys, of files of an older version whose keys are in the database by now. */
const TAKEN_OVER = 'taken-over';

interface KeySettings {
  /** The secret of the settings, which all nodes share. Without it, the secret is in a file of the folder `keys`. */
  masterKey: string | undefined;
  /** The secret that keys may still be sealed with. */
  masterKeyFormer?: string | undefined;
  dataDir: string;
}

export interface OpenKeyStore extends KeyStore {
  /** Sets the files of an older version aside, once their keys are in the database. Returns the path of their folder. */
  setFilesAside(): Promise<string | undefined>;
}

/**
 * Opens the keys in the main project's database, which are sealed with one secret. Keys that are sealed with the former one of
 * the settings, or the one in the folder's file, are sealed anew. Throws an Error when neither opens them.
 */
export async function openKeyStore(
  { database }: { database: Database },
  { masterKey, masterKeyFormer, dataDir }: KeySettings,
): Promise<OpenKeyStore> {
  const folder = join(dataDir, 'keys');
  const kept = await readMasterKey(folder);
  const secret = masterKey ?? kept ?? (await makeFirst(database, folder));
  const sealing = deriveSealingKey(secret);
  for (const former of [masterKeyFormer, kept]) {
    if (former === undefined || former === secret) continue;
    await sealAnew(database, { from: deriveSealingKey(former), to: sealing });
  }
  for (const row of await listRows(database)) openRow(row, sealing);

  const readText = async (name: string): Promise<string | undefined> => {
    const row = await database.reader
      .selectFrom(TABLE)
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst();
    return row && openRow(row as KeyTables[typeof TABLE], sealing);
  };
  return {
    async readOrMake(name, make) {
      const known = await readText(name);
      if (known !== undefined) return known;
      const sealed = seal(sealing, await make(), contextOf(name));
      await quietly(database, (transaction) =>
        transaction
          .insertInto(TABLE)
          .values({ name, sealed, changed_at: Date.now() })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute(),
      );
      const stored = await readText(name);
      if (stored === undefined) throw new Error(`The key "${name}" could not be stored.`);
      return stored;
    },
    replace: (name, change) =>
      quietly(database, async (transaction) => {
        const row = await transaction
          .selectFrom(TABLE)
          .selectAll()
          .where('name', '=', name)
          .executeTakeFirstOrThrow();
        const sealed = seal(sealing, await change(openRow(row, sealing)), contextOf(name));
        await transaction
          .updateTable(TABLE)
          .set({ sealed, changed_at: Date.now() })
          .where('name', '=', name)
          .execute();
      }),
    readFile: (file) => readIfPresent(join(folder, file)),
    async setFilesAside() {
      const names = (await listRows(database)).map(({ name }) => name);
      const files = await listFiles(folder);
      const taken = files.filter((file) => names.includes(file.replace(/\.(json|key|secret)$/, '')));
      if (taken.length === 0) return undefined;
      const aside = join(folder, TAKEN_OVER);
      await mkdir(aside, { recursive: true, mode: 0o700 });
      for (const file of taken) await rename(join(folder, file), join(aside, file));
      return aside;
    },
  };
}

/** Removes all keys of all projects, also those that no secret here opens: the next start makes new ones. Returns their names. */
export async function removeKeys(database: Database): Promise<string[]> {
  return quietly(database, async (transaction) => {
    const rows = await transaction.deleteFrom(TABLE).returning('name').execute();
    return rows.map(({ name }) => name).sort();
  });
}

async function listFiles(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** Makes a secret for a database without keys. */
async function makeFirst(database: Database, folder: string): Promise<string> {
  if ((await listRows(database)).length === 0) return makeMasterKey(folder);
  throw new UnusableDataError(
    `The keys in the database are sealed with a secret that is not here: set MASTER_KEY as on the other nodes, or put the file ${join(folder, MASTER_KEY_FILE)} back from there or from a backup.`,
  );
}

function openRow({ name, sealed }: KeyTables[typeof TABLE], sealing: Buffer): string {
  try {
    return unseal(sealing, sealed, contextOf(name));
  } catch (cause) {
    throw new UnusableDataError(
      `The keys in the database are sealed with another secret than the one here: set MASTER_KEY (or put the file keys/${MASTER_KEY_FILE}) as on the other nodes, or as it was when they were made.`,
      { cause },
    );
  }
}

async function sealAnew(database: Database, { from, to }: { from: Buffer; to: Buffer }): Promise<void> {
  const isFormer = (row: KeyTables[typeof TABLE]) => {
    try {
      return openRow(row, from) !== undefined;
    } catch {
      return false;
    }
  };
  if (!(await listRows(database)).some(isFormer)) return;
  await quietly(database, async (transaction) => {
    for (const row of await transaction.selectFrom(TABLE).selectAll().execute()) {
      if (!isFormer(row)) continue;
      const sealed = seal(to, openRow(row, from), contextOf(row.name));
      await transaction.updateTable(TABLE).set({ sealed }).where('name', '=', row.name).execute();
    }
  });
}

async function listRows({ reader }: Database): Promise<KeyTables[typeof TABLE][]> {
  return (await reader.selectFrom(TABLE).selectAll().execute()) as KeyTables[typeof TABLE][];
}

/** No cache depends on the keys. */
function quietly<T>(
  database: Database,
  act: (transaction: Transaction<KeyTables>) => Promise<T>,
): Promise<T> {
  return database.quietly((transaction) => act(transaction as Transaction<KeyTables>));
}

function contextOf(name: string): string {
  return `key ${name}`;
}
