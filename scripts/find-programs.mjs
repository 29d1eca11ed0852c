// Finds the programs that the tests run, such as a Chromium and a Redis server, and installs those that are missing.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail, node, root } from './runtime.mjs';

/** Chromium without windows, which takes two thirds of the time. */
const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const CHROMIUMS = [
  ...FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const REDIS_SERVERS = ['redis-server', 'valkey-server'];
const HAPROXIES = ['haproxy', '/usr/sbin/haproxy'];
/** Debian has a folder for each version of PostgreSQL, such as `17`. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** Returns the path of a Chromium that starts. Installs one if there is none: Debian's package, else Playwright's. */
export function findChromium() {
  const found = findInstalledChromium() ?? installHeadlessShell();
  if (found) return found;
  console.log('Looking for a Chromium: asking Playwright for one …');
  spawnSync(node(), [join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'], {
    stdio: ['ignore', 'inherit', 'ignore'],
    timeout: 180_000,
  });
  const downloaded = downloadedByPlaywright();
  if (downloaded) return downloaded;
  console.log('Playwright could not download one: installing Debian’s package …');
  installFromDebian('chromium');
  return (
    firstThatStarts(CHROMIUMS) ??
    fail('The browser tests need a Chromium: install one, or name it in CHROMIUM_PATH.')
  );
}

/** Returns the path of the fastest Chromium on this machine, or `undefined`. */
export function findInstalledChromium() {
  return (
    process.env.CHROMIUM_PATH ??
    firstThatStarts([HEADLESS_SHELL]) ??
    firstThatStarts(CHROMIUMS) ??
    downloadedByPlaywright()
  );
}

/** Returns the path of a Chromium with its back/forward cache, which the one without windows lacks; else `undefined`. */
export function findWholeChromium() {
  return firstThatStarts(CHROMIUMS) ?? downloadedByPlaywright();
}

/** Installs Debian's package where nobody has to be asked: as root. */
function installHeadlessShell() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('Looking for a Chromium: installing Debian’s package …');
  installFromDebian('chromium-headless-shell');
  return firstThatStarts([HEADLESS_SHELL]);
}

function downloadedByPlaywright() {
  try {
    const path = createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the name or path of a Redis server that starts. Installs Debian's package if there is none. */
export function findRedisServer() {
  const found = process.env.REDIS_SERVER_PATH ?? firstThatStarts(REDIS_SERVERS);
  if (found) return found;
  console.log('The tests need a redis-server: installing Debian’s package …');
  // At run level 1 the package starts no service of its own.
  installFromDebian('redis-server', { ...process.env, RUNLEVEL: '1' });
  return (
    firstThatStarts(REDIS_SERVERS) ??
    fail('The tests need a redis-server: install one, or name it in REDIS_SERVER_PATH.')
  );
}

/** Returns the name or path of an HAProxy that starts. Installs Debian's package if there is none. */
export function findHaproxy() {
  const find = () => firstThatStarts(HAPROXIES, '-v');
  const found = process.env.HAPROXY_PATH ?? find();
  if (found) return found;
  console.log('The faults need an HAProxy: installing Debian’s package …');
  installFromDebian('haproxy', { ...process.env, RUNLEVEL: '1' });
  return find() ?? fail('The faults need an HAProxy: install one, or name it in HAPROXY_PATH.');
}

/**
 * Returns the newest version of Debian's PostgreSQL on this machine, such as `17`, for which there is a pgBackRest. Installs Debian's
 * packages if there are none, without starting a service.
 */
export function findPgBackRest() {
  const find = () =>
    firstThatStarts(['pgbackrest'], 'version') &&
    (existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS) : [])
      .filter((version) => existsSync(join(POSTGRES_VERSIONS, version, 'bin', 'postgres')))
      .sort((left, right) => Number(right) - Number(left))[0];
  const found = find();
  if (found) return found;
  console.log('The recovery needs PostgreSQL and pgBackRest: installing Debian’s packages …');
  const env = { ...process.env, RUNLEVEL: '1' };
  for (const name of ['postgresql', 'pgbackrest']) installFromDebian(name, env);
  return find() ?? fail('The recovery needs Debian’s postgresql and pgbackrest: install both.');
}

function firstThatStarts(programs, question = '--version') {
  return programs.find((program) => spawnSync(program, [question], { timeout: 20_000 }).status === 0);
}

/** Installs a package without asking, with `sudo` unless this account is root. */
function installFromDebian(name, env = process.env) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const [command, ...args] = [...sudo, 'apt-get', '-q', ...step];
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  }
}
