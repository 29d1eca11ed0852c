import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors.ts';

/**
 * Where the bytes of files lie, under keys such as `journal/3f/…`. Names, owners and types are the `files` table's
 * business. Uploads arrive in a file of this machine first (see `createTemporaryFiles`), and only then come here.
 */
export interface BlobStore {
  /**
   * Takes in the file at `localPath`, which is gone when this resolves; by then the bytes are durable. When it
   * throws, nothing can be read under `key`, and the file may or may not be there still.
   */
  put(key: string, localPath: string): Promise<void>;
  /** The bytes, or those of `range`; null when there is no such blob. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /** Bytes; null when there is no such blob. */
  stat(key: string): Promise<{ size: number } | null>;
  /** No error when there is none. */
  remove(key: string): Promise<void>;
  /** Every blob whose key begins with `prefix`, in no order that one may count on. */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** The file itself where the store is a folder of this machine; it may not be there. */
  localPath(key: string): string | undefined;
  /** An address at which the blob is saved by whoever has it, for that long; only stores that can be asked directly have this. */
  presign?(key: string, options: PresignOptions): Promise<string>;
}

export interface ListedBlob {
  key: string;
  /** Bytes. */
  size: number;
  /** Epoch ms. */
  modifiedAt: number;
}

export interface PresignOptions {
  /** Under which it is saved. */
  filename: string;
  contentType: string;
  /** How long the address is good. */
  seconds: number;
}

/** Both ends belong to it; counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A key that no blob has: `<project>/<2>/<uuid>`. */
export function newBlobKey(projectId: string): string {
  return `${projectId}/${randomUUID().replace(/^(..)/, '$1/$1')}`;
}

/** Keys are made by us; throws for one that could lead out of a folder or mean something to a server. */
export function requireBlobKey(key: string): string {
  if (!/^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/.test(key)) throw new Error(`"${key}" cannot be the key of a blob.`);
  return key;
}

/** Whether the store, or the disk before it, refused a file for want of room. */
export function isStoreFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: unknown; $metadata?: { httpStatusCode?: number } };
  // EFBIG: the account that runs us may not write files as large (`ulimit -f`).
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(code))) return true;
  return $metadata?.httpStatusCode === 507;
}

export function storeFull(cause: unknown): AppError {
  return new AppError('STORAGE_FULL', 'There is no room for this file on the server at the moment.', {
    cause,
  });
}
