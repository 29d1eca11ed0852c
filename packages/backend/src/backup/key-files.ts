import { chmod, copyFile, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectDefinition } from '../core/project.ts';

/** Inside a backup, and in the data folder. */
export const KEYS_FOLDER = 'keys';

/** Of all projects; a project's own is beside them (see `loadKeys`). */
const SHARED_KEYS = ['signing.json', 'refresh.key'];

/** Copies the keys that all projects share, and the projects' own. */
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
  /** Of the backup. */
  from: string;
  /** Of the data folder. */
  to: string;
  projects: readonly ProjectDefinition[];
  /** These are all that there is to be: the keys that projects share are restored with them. */
  whole: boolean;
}

/** Names of keys that are to be put in place of others, or where there is none. */
export async function changedKeys({
  from,
  to,
  projects,
  whole,
}: RestoreKeys): Promise<{ added: string[]; replaced: string[] }> {
  const there = await listFolder(to);
  const shared = SHARED_KEYS.filter((name) => whole || !there.includes(name));
  const kept = await listFolder(from);
  const wanted = [...shared, ...projects.map(ownKey)].filter((name) => kept.includes(name));
  const replaced: string[] = [];
  for (const name of wanted) {
    if (there.includes(name) && !(await isSame(join(from, name), join(to, name)))) replaced.push(name);
  }
  return { added: wanted.filter((name) => !there.includes(name)), replaced };
}

/** Puts each key in its place at once. Those that were there are kept in a folder of their own, which is answered. */
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
