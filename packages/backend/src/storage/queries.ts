import { type Kysely, sql, type Transaction } from 'kysely';
import type { Change, Database } from '../database/index.ts';

/** Its rows are on the bus when they go with an account; no project can have a table of this name. */
export const FILES_TABLE = 'files';

export interface StoredFile {
  path: string;
  /** Its key in the blob store: a new one for every upload, so that who is reading the old bytes reads on. */
  blob: string;
  /** Who uploaded it; null for the service role. */
  user_id: string | null;
  content_type: string;
  /** Bytes. */
  size: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms. */
  updated_at: number;
}

export interface StorageTables {
  files: StoredFile;
}

export async function findFile(database: Database, path: string): Promise<StoredFile | undefined> {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').selectAll().where('path', '=', path).executeTakeFirst();
}

/**
 * Puts `file` under its path, in one transaction with `mayReplace`, which is given the file that is there
 * already and throws to keep it. Answers the blob that is no longer needed.
 */
export async function putFile(
  database: Database,
  file: StoredFile,
  mayReplace: (present: StoredFile) => void,
): Promise<string | undefined> {
  const writer: Kysely<StorageTables> = database.writer;
  return writer.transaction().execute(async (transaction) => {
    const present = await transaction
      .selectFrom('files')
      .selectAll()
      .where('path', '=', file.path)
      .executeTakeFirst();
    if (!present) {
      await transaction.insertInto('files').values(file).execute();
      return undefined;
    }
    mayReplace(present);
    const { path, user_id: _, created_at: __, ...changed } = file;
    await transaction.updateTable('files').set(changed).where('path', '=', path).execute();
    return present.blob;
  });
}

/** Removes those of `paths` that exist, in one transaction with `mayRemove`, which throws to keep all of them. */
export async function removeFileRows(
  database: Database,
  paths: readonly string[],
  mayRemove: (file: StoredFile) => void,
): Promise<StoredFile[]> {
  const writer: Kysely<StorageTables> = database.writer;
  return writer.transaction().execute(async (transaction) => {
    const files = await transaction.selectFrom('files').selectAll().where('path', 'in', paths).execute();
    for (const file of files) mayRemove(file);
    if (files.length > 0) {
      const found = files.map(({ path }) => path);
      await transaction.deleteFrom('files').where('path', 'in', found).execute();
    }
    return files;
  });
}

/** The files that this account uploaded, by path. */
export async function listFilesOf(database: Database, userId: string): Promise<StoredFile[]> {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').selectAll().where('user_id', '=', userId).orderBy('path').execute();
}

/**
 * Removes an account's files, whichever rows name them, and answers that as changes: to be published once the
 * transaction is committed, so that their bytes go too (see `followDeletions`).
 */
export async function releaseFilesOf(
  transaction: Transaction<StorageTables>,
  userId: string,
): Promise<Change[]> {
  const files = await transaction.deleteFrom('files').where('user_id', '=', userId).returningAll().execute();
  return files.map((file) => ({
    table: FILES_TABLE,
    operation: 'delete',
    id: file.path,
    changed: Object.keys(file),
    before: { ...file },
    after: null,
  }));
}

/** Values of `column` that have `part` in them. */
export async function findNaming(
  database: Database,
  { table, column, part }: { table: string; column: string; part: string },
): Promise<string[]> {
  const pattern = `%${part.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const { rows } = await sql<{ value: string }>`
    SELECT ${sql.ref(column)} AS value FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`.execute(database.reader);
  return rows.map(({ value }) => value);
}
