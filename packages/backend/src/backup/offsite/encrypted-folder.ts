import { existsSync } from 'node:fs';
import { readdir, readFile, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BlobStore, createDiskBlobStore, createTemporaryFiles } from '../../services/storage/index.ts';
import type { EncryptedStore } from './encrypted-blobs.ts';
import { BACKUPS, INDEX, PROVED } from './send-backup.ts';

/** The folder for files that are being encrypted. */
const INCOMING = '.incoming';

/** Opens a folder of encrypted backups, which are laid out as in a bucket: `backups/<name>/`, and their `files/`. */
export function openEncryptedFolder(folder: string): EncryptedStore {
  return {
    blobs: createDiskBlobStore(folder),
    temporaryFiles: createTemporaryFiles(join(folder, INCOMING)),
  };
}

/** Removes the folders of backups that were removed: a store of files knows no folders. */
export async function removeEmptyBackups(folder: string): Promise<void> {
  for (const name of await readdir(join(folder, BACKUPS))) {
    await rmdir(join(folder, BACKUPS, name)).catch(() => undefined);
  }
}

/** Returns whether there is an encrypted backup at this path, which is `<folder>/backups/<name>`. */
export function isEncryptedBackup(path: string): boolean {
  return basename(dirname(path)) === BACKUPS && existsSync(join(path, INDEX));
}

/** Opens the folder of the backup at `<folder>/backups/<name>`, where `latest` is the newest one. Throws when there is none. */
export function locateEncryptedBackup(path: string): { blobs: BlobStore; name: string } {
  if (basename(dirname(path)) !== BACKUPS || !existsSync(dirname(path)))
    throw new Error(
      `An encrypted backup has a path such as /mnt/safe/${BACKUPS}/latest, and ${path} is none.`,
    );
  return { blobs: createDiskBlobStore(dirname(dirname(path))), name: basename(path) };
}

/** Returns the moment of the data of the newest encrypted backup in a folder that was proved. */
export async function newestProvedEncrypted(folder: string): Promise<string | undefined> {
  const names = await readdir(join(folder, BACKUPS)).catch(() => []);
  for (const name of names.sort().reverse()) {
    const path = join(folder, BACKUPS, name);
    const madeAt = await readFile(join(path, PROVED), 'utf8').catch(() => undefined);
    if (madeAt !== undefined && existsSync(join(path, INDEX))) return madeAt;
  }
  return undefined;
}
