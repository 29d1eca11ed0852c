import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Project } from '../http/environment.ts';
import type { BlobStore } from './blob-store.ts';
import type { Incoming } from './incoming.ts';
import type { StorageTables } from './queries.ts';

/** Most blobs are small, and a store far away answers each of them late. */
const AT_ONCE = 8;

export interface CopyOptions {
  project: Project;
  from: BlobStore;
  to: BlobStore;
  /** On the way from one to the other. */
  incoming: Incoming;
  /** Called now and then with how many were looked at. */
  onProgress(done: number): void;
}

export interface Copied {
  /** Blobs that were not there, or not in full. */
  copied: number;
  /** Bytes of those. */
  bytes: number;
  /** Blobs that were there in full. */
  present: number;
  /** Originals that have the hash they were uploaded with. */
  compared: number;
  /** Paths of files whose original has another one, or is missing, in the store that was copied from as well. */
  damaged: string[];
}

/**
 * Copies all blobs of a project from one store to the other. What is there in full already is left as it is, so that a
 * copy that was broken off goes on. At the end each original is read from where it is now and its hash compared; one
 * that differs is copied anew.
 */
export async function copyBlobs({ project, from, to, incoming, onProgress }: CopyOptions): Promise<Copied> {
  const result: Copied = { copied: 0, bytes: 0, present: 0, compared: 0, damaged: [] };
  let done = 0;
  const copy = (key: string) => copyBlob(key, { from, to, incoming });
  await forEachAtOnce(from.list(`${project.definition.id}/`), async ({ key, size }) => {
    if ((await to.stat(key))?.size === size) result.present += 1;
    else if (await copy(key)) {
      result.copied += 1;
      result.bytes += size;
    }
    done += 1;
    onProgress(done);
  });
  await forEachAtOnce(await listOriginals(project), async ({ path, blob, hash }) => {
    const isRight = async () => (await hashOf(to, blob)) === hash;
    if ((await isRight()) || ((await copy(blob)) && (await isRight()))) result.compared += 1;
    else if (await isStillThere(project, blob)) result.damaged.push(path);
  });
  result.damaged.sort();
  return result;
}

/** Answers false when there is none: it was removed meanwhile. */
async function copyBlob(
  key: string,
  { from, to, incoming }: Pick<CopyOptions, 'from' | 'to' | 'incoming'>,
): Promise<boolean> {
  const body = await from.read(key);
  if (!body) return false;
  const file = await incoming.receive(body);
  try {
    await to.put(key, file.localPath);
  } finally {
    await file.discard();
  }
  return true;
}

async function hashOf(blobs: BlobStore, key: string): Promise<string | undefined> {
  const body = await blobs.read(key);
  if (!body) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex');
}

function listOriginals({ database }: Project) {
  const reader: Kysely<StorageTables> = database.reader;
  return reader.selectFrom('files').select(['path', 'blob', 'hash']).orderBy('path').execute();
}

async function isStillThere({ database }: Project, blob: string): Promise<boolean> {
  const reader: Kysely<StorageTables> = database.reader;
  const found = await reader.selectFrom('files').select('path').where('blob', '=', blob).executeTakeFirst();
  return found !== undefined;
}

/** Acts on some of the items at a time; an error is thrown once the others have seen to the rest. */
async function forEachAtOnce<T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const shared = oneByOne(items);
  const worker = async () => {
    for (let next = await shared.next(); !next.done; next = await shared.next()) await act(next.value);
  };
  const workers = Array.from({ length: AT_ONCE }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
}

async function* oneByOne<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
}
