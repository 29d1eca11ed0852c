import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/**
 * Unpacks the sources of a commit into a folder of their own, where they run on the packages that are installed here. Throws where the
 * history of this checkout does not have the commit.
 */
export async function unpackVersion(commit: string): Promise<string> {
  // The checkout may be another account's.
  const git = ['-c', 'safe.directory=*', '-C', ROOT];
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-older-'));
  const archive = join(folder, 'sources.tar');
  try {
    await run('git', [...git, 'archive', '-o', archive, commit, 'apps', 'packages', 'package.json']);
  } catch (cause) {
    await rm(folder, { recursive: true });
    throw new Error(
      `This test runs the sources of ${commit}, which the history of this checkout does not have: clone it as a whole, or run "git fetch --unshallow".`,
      { cause },
    );
  }
  await run('tar', ['-xf', archive, '-C', folder]);
  await linkPackages(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'node_modules/@fabrica'));
  for (const [within, names] of [
    ['packages', await readdir(join(folder, 'packages'))],
    ['apps', await readdir(join(folder, 'apps'))],
  ] as const) {
    for (const name of names) {
      await symlink(join(folder, within, name), join(folder, 'node_modules/@fabrica', name));
      const nested = join(within, name, 'node_modules');
      await linkPackages(join(ROOT, nested), join(folder, nested)).catch(() => undefined);
    }
  }
  return folder;
}

/** Links all packages of a folder but those of this repository. */
async function linkPackages(from: string, to: string): Promise<void> {
  const names = await readdir(from);
  await mkdir(to, { recursive: true });
  for (const name of names) if (name !== '@fabrica') await symlink(join(from, name), join(to, name));
}
