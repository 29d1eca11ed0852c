import type { DatabaseSync } from 'node:sqlite';

/**
 * Returns a function to call before each read. Reads that follow one another without waiting share a transaction, so that
 * SQLite takes and releases its locks once for all of them. `version` changes with each commit that is counted: a read after
 * one begins another transaction, and sees it.
 */
export function shareSnapshots(connection: DatabaseSync, version: () => number): () => void {
  const begin = connection.prepare('BEGIN');
  const commit = connection.prepare('COMMIT');
  /** The version when the transaction began; undefined while there is none. */
  let begunAt: number | undefined;

  function end(): void {
    begunAt = undefined;
    // SQLite itself ends a transaction after some failures, as of the disk.
    if (!connection.isOpen || !connection.isTransaction) return;
    try {
      commit.run();
    } catch {
      // Nothing was written. What is wrong with the file, the next read reports to its caller.
      if (connection.isTransaction) connection.exec('ROLLBACK');
    }
  }

  return () => {
    const current = version();
    if (begunAt === current) return;
    if (begunAt !== undefined) end();
    // The caller reads within a transaction of its own, and ends it.
    else if (connection.isTransaction) return;
    // It ends before anything comes from outside, such as a request or the news of a commit.
    else queueMicrotask(end);
    begin.run();
    begunAt = current;
  };
}
