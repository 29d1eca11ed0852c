import type { Kysely } from 'kysely';
import type { Caller } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import { type StorageTables, type StoredFile, sumFileSizes } from './queries.ts';

/** Throws FORBIDDEN unless the caller uploaded `file` or is the service role: to replace, remove or read the original. */
export function authorizeChange(file: Pick<StoredFile, 'path' | 'user_id'>, caller: Caller): void {
  if (caller.kind === 'service') return;
  if (caller.kind === 'user' && file.user_id === caller.id) return;
  throw new AppError('FORBIDDEN', `"${file.path}" belongs to someone else.`);
}

export interface UploadPermission {
  /** The new file. */
  file: Pick<StoredFile, 'user_id' | 'size'>;
  /** The file that is stored under the path already. */
  existing: StoredFile | undefined;
  caller: Caller;
  /** Whether the caller asked to overwrite an existing file. */
  upsert: boolean;
  /** Bytes that the files of one user may have together; 0: any number. */
  quota: number;
}

/**
 * Throws FILE_EXISTS, FORBIDDEN or QUOTA_EXCEEDED when the file may not be stored. An upload calls it twice: before its
 * bytes go to the blob store, and in the transaction that writes its row, so that two concurrent uploads cannot both
 * take the last bytes of a quota.
 */
export async function authorizeUpload(
  database: Kysely<StorageTables>,
  { file, existing, caller, upsert, quota }: UploadPermission,
): Promise<void> {
  if (existing && !upsert) {
    throw new AppError('FILE_EXISTS', 'File already exists. Set upsert: true to overwrite.');
  }
  if (existing) authorizeChange(existing, caller);
  // Files of the service role have no user and no quota.
  if (quota === 0 || file.user_id === null) return;
  const freed = existing?.user_id === file.user_id ? existing.size : 0;
  const total = (await sumFileSizes(database, file.user_id)) - freed + file.size;
  if (total > quota) throw quotaExceeded(total, quota);
}

/** Returns the error of a file with which an account's files would have more bytes together than its quota. */
export function quotaExceeded(total: number, quota: number): AppError {
  return new AppError(
    'QUOTA_EXCEEDED',
    `With this file, yours would take ${megabytes(total)} MB together, and ${megabytes(quota)} MB is the most. Please remove some first.`,
  );
}

/** Rounds up, so that a total above the quota never looks equal to it. */
function megabytes(bytes: number): number {
  return Math.ceil((bytes / 1024 / 1024) * 10) / 10;
}
