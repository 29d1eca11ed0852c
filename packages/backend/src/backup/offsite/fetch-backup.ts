import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { forEachConcurrently } from '../../runtime/for-each-concurrently.ts';
import type { BlobStore } from '../../services/storage/index.ts';
import { readSums, SUMS_FILE } from '../file-sums.ts';
import { MANIFEST_FILE } from '../manifest.ts';
import { getDecrypted } from './encrypted-blobs.ts';
import { BACKUPS, type BackupIndex, INDEX, keyOfFile, listSent } from './send-backup.ts';

interface FetchOptions {
  /** The name of a backup in the store, or `latest`. */
  name: string;
  blobs: BlobStore;
  /** The secret key: `AGE-SECRET-KEY-…`. */
  identity: string;
  /** The folder to create. */
  folder: string;
}

/** Fetches a backup from a store into a new folder, decrypted. It is as it was before it was sent. */
export async function fetchBackup({ name, blobs, identity, folder }: FetchOptions): Promise<void> {
  const names = await listSent(blobs);
  const chosen = name === 'latest' ? names.at(-1) : name.toLowerCase();
  if (chosen === undefined || !names.includes(chosen)) {
    throw new Error(`The store has no backup ${name}. It has: ${names.join(', ') || 'none'}.`);
  }
  const { identityToRecipient } = await import('age-encryption');
  const recipient = await identityToRecipient(identity);
  await mkdir(folder, { mode: 0o700 });
  const indexFile = join(folder, INDEX);
  await getDecrypted(`${BACKUPS}/${chosen}/${INDEX}`, indexFile, { blobs, identity });
  const index = JSON.parse(await readFile(indexFile, 'utf8')) as BackupIndex;
  await rm(indexFile);
  await writeFile(join(folder, SUMS_FILE), index.sums, { mode: 0o600 });
  await forEachConcurrently(readSums(folder), async ({ path, sha256 }) => {
    const target = join(folder, path);
    // A person who writes to the store knows the public key, and may have written the list.
    if (!target.startsWith(`${folder}${sep}`))
      throw new Error(`The backup names a file outside of it: ${path}`);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await getDecrypted(keyOfFile(sha256, recipient), target, { blobs, identity });
  });
  await writeFile(join(folder, MANIFEST_FILE), index.manifest, { mode: 0o600 });
}
