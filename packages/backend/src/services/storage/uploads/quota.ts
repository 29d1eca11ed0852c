import type { Transaction } from 'kysely';
import { AppError } from '../../../core/errors.ts';
import type { StorageTables, StoredFile } from '../queries.ts';

export interface QuotaQuestion {
  transaction: Transaction<StorageTables>;
  /** The file that is to be put. */
  file: Pick<StoredFile, 'user_id' | 'size'>;
  /** The one that it takes the place of, if any. */
  replaced: Pick<StoredFile, 'user_id' | 'size'> | undefined;
  /** Bytes that the files of one user may take together; 0: any number. */
  quota: number;
}

/**
 * Throws QUOTA_EXCEEDED when the uploader's files would take more together than they may; asked in the transaction
 * that puts the file, so that two uploads at once cannot both take what is left. Files of the service role are nobody's.
 */
export async function requireWithinQuota({
  transaction,
  file,
  replaced,
  quota,
}: QuotaQuestion): Promise<void> {
  if (quota === 0 || file.user_id === null) return;
  const { total } = await transaction
    .selectFrom('files')
    .select((query) => query.fn.coalesce(query.fn.sum<number>('size'), query.lit(0)).as('total'))
    .where('user_id', '=', file.user_id)
    .executeTakeFirstOrThrow();
  const freed = replaced?.user_id === file.user_id ? replaced.size : 0;
  const taken = total - freed + file.size;
  if (taken <= quota) return;
  throw new AppError(
    'QUOTA_EXCEEDED',
    `With this file, yours would take ${megabytes(taken)} MB together, and ${megabytes(quota)} MB is the most. Please remove some first.`,
  );
}

/** Rounded so that what is too much never looks as if it were not. */
function megabytes(bytes: number): number {
  return Math.ceil((bytes / 1024 / 1024) * 10) / 10;
}
