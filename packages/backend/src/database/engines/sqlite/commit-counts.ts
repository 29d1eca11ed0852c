import type { DatabaseSync } from 'node:sqlite';

/** Milliseconds between two checks for commits of other processes. */
const CHECK_INTERVAL_MS = 10;

/** Indexes into the shared memory of a file. */
const OWN = 0;
const FOREIGN = 1;

/** Counts of the commits on a file, in memory that the writer's thread shares with the main one. */
export type SharedCounts = Int32Array<SharedArrayBuffer>;

export function shareCounts(buffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)): SharedCounts {
  return new Int32Array(buffer);
}

export function countOwnCommit(counts: SharedCounts): void {
  Atomics.add(counts, OWN, 1);
}

/** Counts a commit whose changes the bus does not have. */
export function countForeignCommit(counts: SharedCounts): void {
  Atomics.add(counts, FOREIGN, 1);
}

interface CommitCounts {
  /** Returns another number after every commit. */
  version(): number;
  foreignCommits(): number;
  /** Has the commits of other processes counted up to now. */
  refresh(): void;
}

interface CountCommitsOptions {
  counts: SharedCounts;
  /** A connection that does not write. */
  reader: DatabaseSync;
  /** Has the writer count foreign commits; returns false when there is no writer, so that every commit is foreign. */
  countInWriter(): boolean;
}

/**
 * SQLite tells a connection of the commits of all others. The reading connection cannot distinguish those of our
 * writer from those of other processes; the writer's connection is notified of the latter alone. Asking takes some locks,
 * so that it is done at intervals.
 */
export function countCommits({ counts, reader, countInWriter }: CountCommitsOptions): CommitCounts {
  const hasChanged = watchCommits(reader);
  let checkedAt = performance.now();
  const refresh = () => {
    checkedAt = performance.now();
    if (hasChanged() && !countInWriter()) Atomics.add(counts, FOREIGN, 1);
  };
  const foreignCommits = () => {
    // Within a transaction, SQLite tells of the commits before it alone: those since are asked for when it has ended.
    if (performance.now() - checkedAt > CHECK_INTERVAL_MS && !reader.isTransaction) refresh();
    return Atomics.load(counts, FOREIGN);
  };
  return { foreignCommits, version: () => foreignCommits() + Atomics.load(counts, OWN), refresh };
}

/** Returns the function with which the writer counts the commits of other processes since its last call. */
export function foreignCommitCounter(counts: SharedCounts, writer: DatabaseSync): () => void {
  const hasChanged = watchCommits(writer);
  return () => {
    if (hasChanged()) Atomics.add(counts, FOREIGN, 1);
  };
}

/** Returns a function that tells whether another connection has committed since its last call. */
function watchCommits(connection: DatabaseSync): () => boolean {
  const statement = connection.prepare('PRAGMA data_version');
  const read = () => statement.get()?.data_version;
  let last = read();
  return () => {
    const current = read();
    const changed = current !== last;
    last = current;
    return changed;
  };
}
