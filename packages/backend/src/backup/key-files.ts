import { chmod, copyFile, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { MASTER_KEY_FILE } from '../core/master-key.ts';
import type { ProjectDefinition } from '../core/project.ts';

/** The folder of keys, in a backup and in the data folder. */
export const KEYS_FOLDER = 'keys';

/**
 * The secret that seals the keys in the main project's database, where no setting names it, and the keys that older
 * versions have kept as files; each project has one of its own beside them.
 */
const SHARED_KEYS = [MASTER_KEY_FILE, 'signing.json', 'refresh.key', 'secrets.key'];

/** Copies the shared keys and the projects' own keys. */
export async function saveKeys(
  from: string,
  to: string,
  projects: readonly ProjectDefinition[],
): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const wanted = [...SHARED_KEYS, ...projects.map(ownKey)];
  for (const name of await listFolder(from)) {
    if (wanted.includes(name)) await copyFile(join(from, name), join(to, name));
  }
}

export interface RestoreKeys {
  /** The backup's folder of keys. */
  from: string;
  /** The data folder's folder of keys. */
  to: string;
  projects: readonly ProjectDefinition[];
  /** Whether the main project is among them, whose database has the keys of all; the shared keys are replaced only then. */
  withMain: boolean;
}

/** Returns the names of the keys that a restore adds, and of those that it replaces. */
export async function changedKeys({
  from,
  to,
  projects,
  withMain,
}: RestoreKeys): Promise<{ added: string[]; replaced: string[] }> {
  const there = await listFolder(to);
  const shared = SHARED_KEYS.filter((name) => withMain || !there.includes(name));
  const saved = await listFolder(from);
  const wanted = [...shared, ...projects.map(ownKey)].filter((name) => saved.includes(name));
  const replaced: string[] = [];
  for (const name of wanted) {
    if (there.includes(name) && !(await isSame(join(from, name), join(to, name)))) replaced.push(name);
  }
  return { added: wanted.filter((name) => !there.includes(name)), replaced };
}

/** Writes each key atomically. Replaced keys are kept in a folder of their own, whose path is returned. */
export async function restoreKeys(keys: RestoreKeys, aside: string): Promise<string[]> {
  const { from, to } = keys;
  const { added, replaced } = await changedKeys(keys);
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of replaced) {
    await mkdir(`${to}.${aside}`, { recursive: true, mode: 0o700 });
    await copyFile(join(to, name), join(`${to}.${aside}`, name));
  }
  for (const name of [...added, ...replaced]) {
    const draft = join(to, `${name}.${aside}`);
    await copyFile(join(from, name), draft);
    await chmod(draft, 0o600);
    await rename(draft, join(to, name));
  }
  return replaced.length > 0 ? [`${to}.${aside}`] : [];
}

function ownKey({ id }: ProjectDefinition): string {
  return `project-${id}.secret`;
}

async function isSame(left: string, right: string): Promise<boolean> {
  return (await readFile(left)).equals(await readFile(right));
}

async function listFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
