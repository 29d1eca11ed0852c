import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { forEachConcurrently } from '../../runtime/for-each-concurrently.ts';
import type { BlobStore } from '../../services/storage/index.ts';
import { readSums, SUMS_FILE } from '../file-sums.ts';
import { MANIFEST_FILE, readManifest } from '../manifest.ts';
import { type EncryptedStore, putEncrypted } from './encrypted-blobs.ts';

/** The keys of a backup in the store: its files are shared with other backups, and removed with the last that has them. */
const FILES = 'files';
export const BACKUPS = 'backups';
/** The encrypted description of a backup, and the names of its files for who cannot read it. */
export const INDEX = 'index';
const NAMES = 'names';
/** The moment of the data of a backup that was proved before it was encrypted, for who cannot read it. */
export const PROVED = 'proved';

/** The index of a backup, which is encrypted. */
export interface BackupIndex {
  /** The texts of the backup's manifest and list of checksums. */
  manifest: string;
  sums: string;
}

interface SendOptions {
  /** A backup on this machine. */
  folder: string;
  store: EncryptedStore;
  /** The public key that it is encrypted for: `age1…`. */
  recipient: string;
  /** Tells how many backups stay in the store. */
  keep: number | undefined;
}

/**
 * Copies a backup into a store, encrypted. A file that an earlier backup has brought there is not sent again. The backup is
 * there once its index is, which is written last. Returns its name.
 */
export async function sendBackup({ folder, store, recipient, keep }: SendOptions): Promise<string> {
  const name = basename(folder).toLowerCase();
  const present = new Set<string>();
  for await (const { key } of store.blobs.list(`${FILES}/`)) present.add(key);
  const keys = new Set<string>();
  await forEachConcurrently(readSums(folder), async ({ path, sha256 }) => {
    const key = keyOfFile(sha256, recipient);
    const isThere = present.has(key) || keys.has(key);
    keys.add(key);
    if (!isThere) await putEncrypted(key, createReadStream(join(folder, path)), { store, recipient });
  });
  const putText = async (part: string, content: string) => {
    const file = await store.temporaryFiles.receive(Readable.from([Buffer.from(content)]));
    try {
      await store.blobs.put(`${BACKUPS}/${name}/${part}`, file.localPath);
    } finally {
      await file.discard();
    }
  };
  await putText(NAMES, [...keys].sort().join('\n'));
  const { madeAt, provedAt } = await readManifest(folder);
  if (provedAt !== undefined) await putText(PROVED, madeAt);
  const index: BackupIndex = {
    manifest: await readFile(join(folder, MANIFEST_FILE), 'utf8'),
    sums: await readFile(join(folder, SUMS_FILE), 'utf8'),
  };
  // It names the files, and is never written to the disk as it is: the store may be a folder of encrypted backups alone.
  const plain = Readable.from([Buffer.from(JSON.stringify(index))]);
  await putEncrypted(`${BACKUPS}/${name}/${INDEX}`, plain, { store, recipient });
  if (keep !== undefined) await removeOld(store.blobs, keep);
  return name;
}

/** Returns the key of a file by its content, which only who knows the content and the recipient can tell. */
export function keyOfFile(sha256: string, recipient: string): string {
  return `${FILES}/${createHmac('sha256', recipient).update(sha256).digest('hex')}`;
}

/** Returns the names of the backups in a store, the oldest first. */
export async function listSent(blobs: BlobStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of blobs.list(`${BACKUPS}/`)) {
    const [, name = '', part] = key.split('/');
    if (part === INDEX) names.push(name);
  }
  return names.sort();
}

/** Removes all backups but the newest ones, then the files that none of those has. */
async function removeOld(blobs: BlobStore, keep: number): Promise<void> {
  const names = await listSent(blobs);
  const old = names.slice(0, -keep);
  if (old.length === 0) return;
  const needed = new Set<string>();
  for (const name of names.slice(-keep)) {
    const list = await blobs.read(`${BACKUPS}/${name}/${NAMES}`);
    if (!list)
      throw new Error(`The store does not say which files the backup ${name} has: nothing is removed.`);
    for (const key of (await text(list)).split('\n')) needed.add(key);
  }
  for (const name of old) {
    for (const part of [INDEX, NAMES, PROVED]) await blobs.remove(`${BACKUPS}/${name}/${part}`);
  }
  for await (const { key } of blobs.list(`${FILES}/`)) if (!needed.has(key)) await blobs.remove(key);
}
