import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of the secret that seals all keys, in the folder of keys, where no setting names that secret. */
export const MASTER_KEY_FILE = 'master.key';

/** Returns the key of 32 bytes by which a secret seals other keys. */
export function deriveSealingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'fabrica keys', 32));
}

/** Returns the secret in the folder's file; undefined when there is none. */
export function readMasterKey(folder: string): Promise<string | undefined> {
  return readIfPresent(join(folder, MASTER_KEY_FILE));
}

/**
 * Makes a secret in the folder's file, which only its owner may read, and returns it. It is never half written, and when
 * processes start at once they agree on the first one's.
 */
export async function makeMasterKey(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, MASTER_KEY_FILE);
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readFile(path, 'utf8')).trim();
}

/** Returns the content of a file without the white space around it; undefined when there is none. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
