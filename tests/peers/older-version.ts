import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

async function git(...args: string[]): Promise<string> {
  // The checkout may be another account's.
  const { stdout } = await run('git', ['-c', 'safe.directory=*', '-C', ROOT, ...args]);
  return stdout.trim();
}

/** Returns the commit of the version before this one: that of the newest tag before it, or of the newest merge where there are no tags. */
export async function versionBefore(): Promise<string> {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD~1').catch(() => undefined);
  return tag ?? (await git('rev-list', '--merges', '--first-parent', '--max-count=1', 'HEAD~1'));
}

/** Unpacks a commit into a folder of its own as a whole, and builds it there. Where it wants other packages, it installs them. */
export async function buildVersion(commit: string): Promise<string> {
  const folder = await unpackVersion(commit, ['.']);
  await mkdir(join(folder, '.cache'), { recursive: true });
  const stamp = '.cache/install.stamp';
  await copyFile(join(ROOT, stamp), join(folder, stamp));
  await run(process.execPath, [join(folder, 'scripts/start.mjs'), '--build-only'], { cwd: folder });
  return folder;
}

/**
 * Unpacks the sources of a commit into a folder of their own, where they run on the packages that are installed here. Throws where the
 * history of this checkout does not have the commit.
 */
export async function unpackVersion(
  commit: string,
  paths: readonly string[] = ['apps', 'packages', 'package.json'],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-older-'));
  const archive = join(folder, 'sources.tar');
  try {
    await git('archive', '-o', archive, commit, ...paths);
  } catch (cause) {
    await rm(folder, { recursive: true });
    throw new Error(
      `This runs the sources of ${commit}, which the history of this checkout does not have: clone it as a whole, or run "git fetch --unshallow".`,
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
