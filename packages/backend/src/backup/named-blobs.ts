import type { Snapshot, TableShape, Value } from '../database/transfer/index.ts';

/** Something in the store of files that a database names. */
export interface NamedBlob {
  key: string;
  /** Of the file, or of the one that it was made of. */
  path: string;
  /** SHA-256 that it was uploaded with; null for what was made of an upload. */
  sha256: string | null;
  /** Cleaned versions are named before they are made. */
  required: boolean;
}

/** All that is kept for the files of a project. */
export async function* namedBlobs(snapshot: Snapshot): AsyncGenerator<NamedBlob> {
  for await (const { path, blob, hash, served_blob: served } of rowsOf(snapshot, 'files')) {
    yield { key: String(blob), path: String(path), sha256: String(hash), required: true };
    if (served) yield { key: String(served), path: String(path), sha256: null, required: false };
  }
  for await (const { key, blob, name } of rowsOf(snapshot, 'variants')) {
    yield { key: String(key), path: `${blob} as ${name}`, sha256: null, required: true };
  }
}

/** None where the database has not come to have such a table yet. */
async function* rowsOf(snapshot: Snapshot, name: string): AsyncGenerator<Record<string, Value | undefined>> {
  const table = snapshot.tables.find((one) => one.name === name);
  if (!table) return;
  for await (const batch of snapshot.read(table)) for (const row of batch) yield asRecord(table, row);
}

function asRecord({ columns }: TableShape, row: readonly Value[]): Record<string, Value | undefined> {
  return Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]));
}
