import { type Kysely, sql, type Transaction } from 'kysely';
import { AppError } from '../../core/errors.ts';
import type { Change, Database } from '../../database/index.ts';

/** The table whose deletions are published on the bus when an account goes; no project can have one of this name. */
export const FILES_TABLE = 'files';

export interface StoredFile {
  path: string;
  /** Key in the blob store: a new one for every upload, so that a reader of the old bytes can finish. */
  blob: string;
  /** The uploader; null for the service role. */
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
  /** Pixels, after rotation; null for other files, and for images stored before these columns existed. */
  width: number | null;
  height: number | null;
  /** 1 for an animation. */
  animated: number | null;
  /** A thumbhash in base64; null where `width` is. */
  placeholder: string | null;
  /**
   * Key of the cleaned version, which is what is served. It is written before that blob exists, so that the original is
   * never served instead. Null where the original is clean itself.
   */
  served_blob: string | null;
}

/** An image in another width or format. */
interface StoredVariant {
  /** Key of the original. */
  blob: string;
  /** Width and format: `640.avif`. */
  name: string;
  /** Key of the variant in the blob store. */
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

/** Returns a FILE_NOT_FOUND error. */
export function fileNotFound(): AppError {
  return new AppError('FILE_NOT_FOUND', 'File not found');
}

export async function findFile(database: Database, path: string): Promise<StoredFile | undefined> {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').selectAll().where('path', '=', path).executeTakeFirst();
}

/** Returns the file under this path. Throws FILE_NOT_FOUND. */
export async function requireFile(database: Database, path: string): Promise<StoredFile> {
  const file = await findFile(database, path);
  if (!file) throw fileNotFound();
  return file;
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

/** Stores what an inspection after the upload found, unless the image was replaced or inspected in the meantime. */
export async function describeStoredImage(
  database: Database,
  { blob }: Pick<StoredFile, 'blob'>,
  image: Pick<StoredFile, 'width' | 'height' | 'animated' | 'placeholder' | 'served_blob'>,
): Promise<void> {
  const writer: Kysely<StorageTables> = database.writer;
  await writer.updateTable('files').set(image).where('blob', '=', blob).where('width', 'is', null).execute();
}

/** Returns whether a file still has this blob. */
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

/** Inserts a variant. Returns false, and inserts nothing, when its file is gone or the variant exists already. */
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

/** Returns the keys of all blobs of a file: its bytes, its cleaned version and its variants. */
export async function blobsOfFile(
  database: Database,
  { blob, served_blob: served }: Pick<StoredFile, 'blob' | 'served_blob'>,
): Promise<string[]> {
  const reader: Kysely<StorageTables> = database.reader;
  const variants = await reader.selectFrom('variants').select('key').where('blob', '=', blob).execute();
  return [blob, ...(served ? [served] : []), ...variants.map(({ key }) => key)];
}

/** Deletes the variants of deleted files, and returns the keys of all their blobs. */
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

interface RemovedFiles {
  files: StoredFile[];
  /** Keys of all their blobs. */
  blobs: string[];
}

/** Deletes the files of `paths` that exist, in one transaction with `authorize`; what that throws rolls it back. */
export async function removeFileRows(
  database: Database,
  paths: readonly string[],
  authorize: (file: StoredFile) => void,
): Promise<RemovedFiles> {
  const writer: Kysely<StorageTables> = database.writer;
  return writer.transaction().execute(async (transaction) => {
    const files = await transaction.selectFrom('files').selectAll().where('path', 'in', paths).execute();
    for (const file of files) authorize(file);
    const found = files.map(({ path }) => path);
    await transaction.deleteFrom('files').where('path', 'in', found).execute();
    return { files, blobs: await releaseBlobs(transaction, files) };
  });
}

/** Returns the files that this account uploaded, ordered by path. */
export async function listFilesOf(database: Database, userId: string): Promise<StoredFile[]> {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').selectAll().where('user_id', '=', userId).orderBy('path').execute();
}

/**
 * Deletes the rows of an account's files, and returns the changes. The caller publishes them once the transaction is
 * committed, so that `followDeletions` removes the bytes: their keys are in `before.blobs`, as JSON.
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

/** Returns the values of `column` that contain `part`. */
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
