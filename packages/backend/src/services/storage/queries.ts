import { type Kysely, sql, type Transaction } from 'kysely';
import type { Change, Database } from '../../database/index.ts';

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
  /** Pixels, as it is seen; null for what is no image, and for images of before these were noted. */
  width: number | null;
  height: number | null;
  /** 1 for more than one picture, shown one after the other. */
  animated: number | null;
  /** A thumbhash in base64; null as `width` is. */
  placeholder: string | null;
  /**
   * The key of the cleaned version, which is what everybody reads. It stands here before there is such a blob, so that
   * nobody ever reads the original instead. Null: the original is clean itself.
   */
  served_blob: string | null;
}

/** A picture in another width or format. */
export interface StoredVariant {
  /** Of the file that it was made of. */
  blob: string;
  /** Width and format: `640.avif`. */
  name: string;
  /** Its own key in the blob store. */
  key: string;
  /** Bytes. */
  size: number;
  /** Epoch ms. */
  created_at: number;
}

export interface StorageTables {
  files: StoredFile;
  variants: StoredVariant;
}

export async function findFile(database: Database, path: string): Promise<StoredFile | undefined> {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').selectAll().where('path', '=', path).executeTakeFirst();
}

/** Returns the bytes that all files of this account have together. */
export async function sumFileSizes(database: Kysely<StorageTables>, userId: string): Promise<number> {
  const { total } = await database
    .selectFrom('files')
    .select((query) => query.fn.coalesce(query.fn.sum<number>('size'), query.lit(0)).as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/**
 * Stores the row of `file` under its path, replacing an existing one, and returns the keys of the blobs that are no
 * longer needed. `authorize` is called in the same transaction with the existing row; what it throws rolls it back.
 */
export async function putFile(
  database: Database,
  file: StoredFile,
  authorize: (transaction: Transaction<StorageTables>, existing: StoredFile | undefined) => Promise<void>,
): Promise<string[]> {
  const writer: Kysely<StorageTables> = database.writer;
  return writer.transaction().execute(async (transaction) => {
    const existing = await transaction
      .selectFrom('files')
      .selectAll()
      .where('path', '=', file.path)
      .executeTakeFirst();
    await authorize(transaction, existing);
    if (!existing) {
      await transaction.insertInto('files').values(file).execute();
      return [];
    }
    const { path, user_id: _, created_at: __, ...changed } = file;
    await transaction.updateTable('files').set(changed).where('path', '=', path).execute();
    return releaseBlobs(transaction, [existing]);
  });
}

/** What is known of an image that was looked at later than when it came; not of one that was replaced meanwhile. */
export async function describeStoredImage(
  database: Database,
  { blob }: Pick<StoredFile, 'blob'>,
  image: Pick<StoredFile, 'width' | 'height' | 'animated' | 'placeholder' | 'served_blob'>,
): Promise<void> {
  const writer: Kysely<StorageTables> = database.writer;
  await writer.updateTable('files').set(image).where('blob', '=', blob).where('width', 'is', null).execute();
}

/** Does any file have this blob still? */
export async function isInUse(database: Database, blob: string): Promise<boolean> {
  const reader: Kysely<StorageTables> = database.reader;
  const found = await reader.selectFrom('files').select('path').where('blob', '=', blob).executeTakeFirst();
  return found !== undefined;
}

export async function findVariant(
  database: Database,
  { blob, name }: Pick<StoredVariant, 'blob' | 'name'>,
): Promise<StoredVariant | undefined> {
  const reader: Kysely<StorageTables> = database.reader;
  return reader
    .selectFrom('variants')
    .selectAll()
    .where('blob', '=', blob)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Notes a variant. Answers false, and notes nothing, when its file is gone or somebody else made it as well. */
export async function putVariant(database: Database, variant: StoredVariant): Promise<boolean> {
  const writer: Kysely<StorageTables> = database.writer;
  const { blob, name, key, size, created_at: createdAt } = variant;
  const { numInsertedOrUpdatedRows = 0n } = await writer
    .insertInto('variants')
    .columns(['blob', 'name', 'key', 'size', 'created_at'])
    .expression((query) =>
      query
        .selectFrom('files')
        .select([
          'blob',
          sql.val(name).as('name'),
          sql.val(key).as('key'),
          sql.val(size).as('size'),
          sql.val(createdAt).as('created_at'),
        ])
        .where('blob', '=', blob),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The keys of all that is kept for a file: its bytes, its cleaned version and its variants. */
export async function blobsOfFile(
  database: Database,
  { blob, served_blob: served }: Pick<StoredFile, 'blob' | 'served_blob'>,
): Promise<string[]> {
  const reader: Kysely<StorageTables> = database.reader;
  const variants = await reader.selectFrom('variants').select('key').where('blob', '=', blob).execute();
  return [blob, ...(served ? [served] : []), ...variants.map(({ key }) => key)];
}

/** Forgets the variants of files that go, and answers the keys of all that was kept for them. */
export async function releaseBlobs(
  transaction: Transaction<StorageTables>,
  files: readonly Pick<StoredFile, 'blob' | 'served_blob'>[],
): Promise<string[]> {
  const variants = await transaction
    .deleteFrom('variants')
    .where(
      'blob',
      'in',
      files.map(({ blob }) => blob),
    )
    .returning('key')
    .execute();
  const own = files.flatMap(({ blob, served_blob: served }) => (served ? [blob, served] : [blob]));
  return [...own, ...variants.map(({ key }) => key)];
}

/**
 * The same for a file whose row is gone already, by whatever means; nothing is released that another file has as well.
 */
export async function releaseBlobsOfGone(
  database: Database,
  file: Pick<StoredFile, 'blob' | 'served_blob'>,
): Promise<string[]> {
  const writer: Kysely<StorageTables> = database.writer;
  return writer.transaction().execute(async (transaction) => {
    const other = transaction.selectFrom('files').select('path').where('blob', '=', file.blob);
    return (await other.executeTakeFirst()) ? [] : releaseBlobs(transaction, [file]);
  });
}

export interface RemovedFiles {
  files: StoredFile[];
  /** The keys of all that was kept for them. */
  blobs: string[];
}

/** Removes those of `paths` that exist, in one transaction with `mayRemove`, which throws to keep all of them. */
export async function removeFileRows(
  database: Database,
  paths: readonly string[],
  mayRemove: (file: StoredFile) => void,
): Promise<RemovedFiles> {
  const writer: Kysely<StorageTables> = database.writer;
  return writer.transaction().execute(async (transaction) => {
    const files = await transaction.selectFrom('files').selectAll().where('path', 'in', paths).execute();
    for (const file of files) mayRemove(file);
    const found = files.map(({ path }) => path);
    await transaction.deleteFrom('files').where('path', 'in', found).execute();
    return { files, blobs: await releaseBlobs(transaction, files) };
  });
}

/** The files that this account uploaded, by path. */
export async function listFilesOf(database: Database, userId: string): Promise<StoredFile[]> {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').selectAll().where('user_id', '=', userId).orderBy('path').execute();
}

/**
 * Removes an account's files, whichever rows name them, and answers that as changes: to be published once the
 * transaction is committed, so that their bytes go too (see `followDeletions`): their keys are in `before.blobs`, as JSON.
 */
export async function releaseFilesOf(
  transaction: Transaction<StorageTables>,
  userId: string,
): Promise<Change[]> {
  const files = await transaction.deleteFrom('files').where('user_id', '=', userId).returningAll().execute();
  const changes: Change[] = [];
  for (const file of files) {
    const blobs = await releaseBlobs(transaction, [file]);
    changes.push({
      table: FILES_TABLE,
      operation: 'delete',
      id: file.path,
      changed: Object.keys(file),
      before: { ...file, blobs: JSON.stringify(blobs) },
      after: null,
    });
  }
  return changes;
}

/** Values of `column` that have `part` in them. */
export async function findValuesContaining(
  database: Database,
  { table, column, part }: { table: string; column: string; part: string },
): Promise<string[]> {
  const pattern = `%${part.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const { rows } = await sql<{ value: string }>`
    SELECT ${sql.ref(column)} AS value FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`.execute(database.reader);
  return rows.map(({ value }) => value);
}
