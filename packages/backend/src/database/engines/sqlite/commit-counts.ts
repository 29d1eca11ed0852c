import type { DatabaseSync } from 'node:sqlite';

/** How late a commit of another process may be noticed, the question to the writer included. */
const LOOKS_APART_MS = 10;

/** Places in the shared memory of a file, which its writer counts in. */
const OWN = 0;
const FOREIGN = 1;

/** Commits on a file, counted by its writer in memory that both threads see. */
export type SharedCounts = Int32Array<SharedArrayBuffer>;

export function shareCounts(buffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)): SharedCounts {
  return new Int32Array(buffer);
}

export function countOwnCommit(counts: SharedCounts): void {
  Atomics.add(counts, OWN, 1);
}

export interface CommitCounts {
  /** Another number after every commit. */
  version(): number;
  foreignCommits(): number;
  /** Has others' commits counted up to now. */
  look(): void;
}

export interface CountingOptions {
  counts: SharedCounts;
  /** A connection that does not write. */
  reader: DatabaseSync;
  /** Has the writer look for commits of others; false when no writer is there, so that every commit is another's. */
  askWriter(): boolean;
}

/**
 * SQLite tells a connection of the commits of all others. The reading one cannot tell those of our writer from those
 * of other processes; it asks the writer's, which is told of the latter alone. The question takes some locks, so that
 * it is put now and then.
 */
export function countCommits({ counts, reader, askWriter }: CountingOptions): CommitCounts {
  const changed = watchCommits(reader);
  let lookedAt = performance.now();
  const look = () => {
    lookedAt = performance.now();
    if (changed() && !askWriter()) Atomics.add(counts, FOREIGN, 1);
  };
  const foreignCommits = () => {
    if (performance.now() - lookedAt > LOOKS_APART_MS) look();
    return Atomics.load(counts, FOREIGN);
  };
  return { foreignCommits, version: () => foreignCommits() + Atomics.load(counts, OWN), look };
}

/** The writer's half: counts what others have committed since it was called last. */
export function countForeignCommits(counts: SharedCounts, writer: DatabaseSync): () => void {
  const changed = watchCommits(writer);
  return () => {
    if (changed()) Atomics.add(counts, FOREIGN, 1);
  };
}

/** Has another connection committed since this was asked last? */
function watchCommits(connection: DatabaseSync): () => boolean {
  const statement = connection.prepare('PRAGMA data_version');
  const ask = () => statement.get()?.data_version;
  let known = ask();
  return () => {
    const answer = ask();
    const changed = answer !== known;
    known = answer;
    return changed;
  };
}
