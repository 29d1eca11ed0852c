import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors.ts';

/**
 * Holds the bytes of files under keys such as `journal/3f/…`. Names, owners and types are in the `files` table. Uploads
 * are written to a temporary file on this machine first.
 */
export interface BlobStore {
  /**
   * Moves the file at `localPath` into the store; the bytes are durable when this resolves. When it throws, nothing can
   * be read under `key`, and the local file may or may not exist.
   */
  put(key: string, localPath: string): Promise<void>;
  /** Returns the bytes, or those of `range`; null when there is no such blob. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /** Returns the size in bytes; null when there is no such blob. */
  stat(key: string): Promise<{ size: number } | null>;
  /** Does nothing when there is no such blob. */
  remove(key: string): Promise<void>;
  /** Yields every blob whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** Resolves when the store can be reached. Rejects with a sentence for the operator. */
  check(): Promise<void>;
  /** Returns the path where the store is a folder of this machine, whether or not the blob exists. */
  localPath(key: string): string | undefined;
  /** Returns a URL that anybody can download the blob from for some time; only stores with public URLs have this. */
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
  /** Name that the browser saves the file under. */
  filename: string;
  contentType: string;
  /** Lifetime of the URL. */
  seconds: number;
}

/** Inclusive at both ends, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Returns a new unique key: `<project>/<2>/<uuid>`. */
export function newBlobKey(projectId: string): string {
  return `${projectId}/${randomUUID().replace(/^(..)/, '$1/$1')}`;
}

/** Returns the key. Throws for one that could lead out of a folder or have a meaning to a server. */
export function requireBlobKey(key: string): string {
  if (!/^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/.test(key)) throw new Error(`"${key}" cannot be the key of a blob.`);
  return key;
}

/** Returns whether the error says that the store, or the disk before it, is full. */
export function isStoreFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: unknown; $metadata?: { httpStatusCode?: number } };
  // EFBIG: the account that runs us may not write files as large (`ulimit -f`).
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(code))) return true;
  return $metadata?.httpStatusCode === 507;
}

/** Returns a STORAGE_FULL error. */
export function storeFull(cause: unknown): AppError {
  return new AppError('STORAGE_FULL', 'There is no room for this file on the server at the moment.', {
    cause,
  });
}
