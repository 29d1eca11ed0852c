import type { Project } from '../../../database/project.ts';
import { quotaExceeded } from '../authorize.ts';
import { sumFileSizes } from '../queries.ts';

/** Counts the bytes of one upload while they come in. */
interface UploadUnderWay {
  /** Throws QUOTA_EXCEEDED when the account's files and uploads have more bytes together than its quota. */
  count(bytes: number): void;
  /** Ends the count; `stored` tells whether the upload has become a file. */
  end(stored: boolean): void;
}

interface AccountUploads {
  /** Bytes of the account's files. */
  stored: number;
  /** Bytes of uploads that are under way, and how many those are. */
  received: number;
  uploads: number;
}

const UNCOUNTED: UploadUnderWay = { count() {}, end() {} };

/**
 * Returns a function that begins to count an upload of an account, before its first byte. An upload that is the only one
 * under way may go beyond the quota: it may replace a file, which is known at its end.
 */
export function createUploadsUnderWay(quota: number) {
  const accounts = new Map<string, AccountUploads>();
  return async ({ definition, database }: Project, userId: string | undefined): Promise<UploadUnderWay> => {
    if (quota === 0 || userId === undefined) return UNCOUNTED;
    const key = `${definition.id}:${userId}`;
    const account = accounts.get(key) ?? { stored: 0, received: 0, uploads: 0 };
    accounts.set(key, account);
    account.uploads += 1;
    let own = 0;
    const end = (stored: boolean) => {
      account.uploads -= 1;
      account.received -= own;
      if (stored) account.stored += own;
      if (account.uploads === 0) accounts.delete(key);
    };
    try {
      account.stored = await sumFileSizes(database.reader, userId);
    } catch (error) {
      end(false);
      throw error;
    }
    return {
      count(bytes) {
        own += bytes;
        account.received += bytes;
        const total = account.stored + account.received;
        if (account.received === own || total <= quota) return;
        // What is refused makes room for the others at once.
        account.received -= own;
        own = 0;
        throw quotaExceeded(total, quota);
      },
      end,
    };
  };
}
