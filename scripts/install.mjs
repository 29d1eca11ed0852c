// Installs the npm packages. `node scripts/install.mjs` installs all of them, for commands that are not scripts here.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, readStamp, removeStamp, root, writeStamp } from './runtime.mjs';

const modules = join(root, 'node_modules');

/** The arguments with which npm installs the packages of each purpose. Each set holds those before it. */
const PACKAGE_SETS = new Map([
  ['serving', ['--omit=dev', '--workspace=@fabrica/journal', '--include-workspace-root']],
  ['building', ['--include=dev', '--workspace=@fabrica/journal', '--include-workspace-root']],
  ['everything', ['--include=dev']],
]);

/**
 * Installs a set of the packages in package-lock.json, unless it or a larger one is installed already. Where everything
 * was installed for another package-lock.json, everything is installed again: a developer's tests keep their tools.
 */
export async function install(smallest) {
  const sets = [...PACKAGE_SETS.keys()];
  const installed = installedSet();
  const wanted = lastSet() === 'everything' ? 'everything' : smallest;
  if (sets.indexOf(installed) >= sets.indexOf(wanted)) return;
  console.error('Installing the packages, which takes a minute or two the first time …');
  // Tests need the type declarations that `serving` lacks, so that all packages are unpacked again.
  const command = installed && wanted !== 'everything' ? 'install' : 'ci';
  await runNpm(command, wanted);
  finish(wanted);
}

/** Removes the packages that only the build needs, unless the tests' tools are installed as well. */
export async function removeBuildTools() {
  if (installedSet() !== 'building') return;
  await runNpm('prune', 'serving');
  finish('serving');
}

/** Returns the set that is installed, or `undefined` if there is none of the present package-lock.json. */
function installedSet() {
  const [, lock] = readStamp('install')?.split(' ') ?? [];
  return lock === hashOfLock() ? lastSet() : undefined;
}

/** Returns the set that was installed last, for whichever package-lock.json. */
function lastSet() {
  return existsSync(modules) ? readStamp('install')?.split(' ')[0] : undefined;
}

function finish(set) {
  if (set === 'serving') removeUnusedFiles();
  writeStamp('install', `${set} ${hashOfLock()}`);
}

function hashOfLock() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/** Runs npm to its end. Ends this process with a sentence if npm fails or is interrupted. */
async function runNpm(command, set) {
  // Without its stamp, the next command repeats an installation that ended early.
  removeStamp('install');
  const options = ['--no-save', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  // Ctrl-C reaches npm as well; a signal to this process alone is passed on, also one that comes while npm is being started.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const passOn = (signal) => npm.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  const npm = spawn('npm', [command, ...PACKAGE_SETS.get(set), ...options], {
    cwd: root,
    // The standard output belongs to the command that needs the packages.
    stdio: ['inherit', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  const stopCounting = countPackages();
  const { code, signal, error } = await new Promise((resolve) => {
    npm.on('error', (error) => resolve({ error }));
    npm.on('exit', (code, signal) => resolve({ code, signal }));
  });
  stopCounting();
  for (const signal of signals) process.off(signal, passOn);
  if (code === 0) return;
  const reason = error
    ? `npm could not be run: ${error.message}`
    : `npm ended with ${signal ?? `code ${code}`}`;
  fail(`The packages could not be installed (${reason}). The next command tries again.`);
}

/** Tells on a terminal how many packages there are already, until the function that it returns is called. */
function countPackages() {
  if (!process.stderr.isTTY) return () => {};
  const foldersOf = (folder) => (existsSync(folder) ? readdirSync(folder) : []);
  const tell = () => {
    const names = foldersOf(modules).filter((name) => !name.startsWith('.'));
    const count = names.flatMap((name) =>
      name.startsWith('@') ? foldersOf(join(modules, name)) : [name],
    ).length;
    process.stderr.write(`\r${count} packages`);
  };
  const timer = setInterval(tell, 500);
  return () => {
    clearInterval(timer);
    process.stderr.write('\r\x1b[K');
  };
}

/** Removes Node's headers, type declarations and source maps: nothing reads them while serving, and they are a third of it. */
function removeUnusedFiles() {
  if (existsSync(join(modules, 'node', 'bin')))
    rmSync(join(modules, 'node', 'node_modules'), { recursive: true, force: true });
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      // The workspaces are symbolic links here, and are not followed.
      if (entry.isDirectory()) walk(join(folder, entry.name));
      else if (entry.isFile() && /\.(d\.[cm]?ts|map)$/.test(entry.name)) rmSync(join(folder, entry.name));
    }
  };
  walk(modules);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await install('everything');
