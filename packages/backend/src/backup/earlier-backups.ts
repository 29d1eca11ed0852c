import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { forEachConcurrently } from '../runtime/for-each-concurrently.ts';
import { hashFile } from '../runtime/hash-file.ts';
import { FILES_FOLDER } from './collect-files.ts';
import { readSums } from './file-sums.ts';
import { readManifest } from './manifest.ts';

/** The names of backups that are named after their time. */
const NAME = /^\d{8}T\d{6}Z$/;

/** Returns the paths of the complete backups in a folder, the oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => NAME.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Returns the moment of the data of the newest backup in a folder that was proved, as the backups themselves say. */
export async function newestProved(folder: string): Promise<string | undefined> {
  for (const path of (await listBackups(folder)).reverse()) {
    const manifest = await readManifest(path).catch(() => undefined);
    if (manifest?.provedAt !== undefined) return manifest.madeAt;
  }
  return undefined;
}

/**
 * Puts the files of an earlier backup into a new one, by hard links: they take no room a second time, and are not fetched from
 * the store again. Those that are no longer as they were written are left to be copied.
 */
export async function linkFiles(earlier: string, folder: string): Promise<void> {
  await forEachConcurrently(readSums(earlier), async ({ path, sha256 }) => {
    if (!path.startsWith(`${FILES_FOLDER}/`) || (await hashFile(join(earlier, path))) !== sha256) return;
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    await link(join(earlier, path), join(folder, path));
  });
}

/** Removes all backups of a folder but the newest ones. Returns the paths of those that it removed. */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const old = (await listBackups(folder)).slice(0, -keep);
  for (const path of old) await rm(path, { recursive: true });
  return old;
}
