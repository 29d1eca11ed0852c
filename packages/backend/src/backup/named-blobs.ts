import type { Snapshot, TableShape, Value } from '../database/transfer/index.ts';

/** A blob in the file store that a database names. */
export interface NamedBlob {
  key: string;
  /** The file's path, or that of the file that it was made from. */
  path: string;
  /** The SHA-256 of the upload; `null` for a blob that was made from an upload. */
  sha256: string | null;
  /** Whether it must exist. Cleaned versions are named before they are made. */
  required: boolean;
}

/** Yields the blobs of all of a project's files. */
export async function* namedBlobs(snapshot: Snapshot): AsyncGenerator<NamedBlob> {
  for await (const { path, blob, hash, served_blob: served } of rowsOf(snapshot, 'files')) {
    yield { key: String(blob), path: String(path), sha256: String(hash), required: true };
    if (served) yield { key: String(served), path: String(path), sha256: null, required: false };
  }
  for await (const { key, blob, name } of rowsOf(snapshot, 'variants')) {
    yield { key: String(key), path: `${blob} as ${name}`, sha256: null, required: true };
  }
}

/** Yields nothing when the database does not have the table yet. */
async function* rowsOf(snapshot: Snapshot, name: string): AsyncGenerator<Record<string, Value | undefined>> {
  const table = snapshot.tables.find((one) => one.name === name);
  if (!table) return;
  for await (const batch of snapshot.read(table)) for (const row of batch) yield asRecord(table, row);
}

function asRecord({ columns }: TableShape, row: readonly Value[]): Record<string, Value | undefined> {
  return Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]));
}
