// What every script needs before anything is installed: plain JavaScript, any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, '.cache');

/** Installs what package-lock.json names, unless that is what is installed already. */
export function install() {
  const wanted = hash(readFileSync(join(root, 'package-lock.json')));
  if (existsSync(join(root, 'node_modules')) && readStamp('install') === wanted) return;
  console.error('Installing …');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32',
  });
  writeStamp('install', wanted);
}

/** The right Node: the one of the npm package `node`, else this one when it is new enough. */
export function node() {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  fail(
    'Fabrica needs Node 24, and the npm package "node" did not bring it: install Node 24 or allow its install script.',
  );
}

/** Builds the pages, unless nothing they are made of has changed since the last time. */
export function build() {
  const wanted = fingerprint(['apps/journal', 'packages', 'package-lock.json']);
  if (existsSync(join(root, 'apps/journal/build/server/index.js')) && readStamp('build') === wanted) return;
  console.log('Building …');
  const { status, stdout, stderr } = spawnSync(
    node(),
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    {
      cwd: join(root, 'apps/journal'),
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
    },
  );
  // What the builder says is of interest when it fails.
  if (status !== 0) fail(`${stdout}${stderr}\nThe pages could not be built.`);
  run(node(), [join(root, 'scripts/precompress.mjs'), join(root, 'apps/journal/build/client')]);
  writeStamp('build', wanted);
}

/** Runs a command to its end; a failure ends this process with the same code. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) fail(`${command} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * What the server's process runs with. Compiled code is kept for the next start. The C library gives large blocks
 * (a password's 19 MB, say) back when they are free, rather than keeping some for each thread. New objects have 4 MB
 * before they are looked through: on a machine with much memory V8 takes several times that, and gains little.
 */
export const serverEnvironment = {
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: join(cache, 'compiled'),
  NODE_OPTIONS: '--max-semi-space-size=4',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
};

/** Runs the server in the foreground: signals reach it, its exit code is ours. */
export function serve() {
  const child = spawn(node(), ['apps/journal/server.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...serverEnvironment, ...process.env, NODE_ENV: 'production' },
  });
  // Ctrl-C reaches the whole group; the server decides when to end, and we end with it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function hash(content) {
  return createHash('sha256').update(content).digest('hex');
}

function readStamp(name) {
  const file = join(cache, `${name}.stamp`);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function writeStamp(name, value) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, `${name}.stamp`), value);
}

/** Of the names, sizes and times of all files: reading them would cost the second start its second. */
function fingerprint(paths) {
  const parts = [];
  const walk = (path) => {
    const stat = statSync(join(root, path));
    if (!stat.isDirectory()) return parts.push(`${path} ${stat.size} ${stat.mtimeMs}`);
    for (const name of readdirSync(join(root, path)).sort()) {
      if (!['node_modules', 'build', '.react-router', 'demo'].includes(name)) walk(join(path, name));
    }
  };
  for (const path of paths) walk(path);
  return hash(parts.join('\n'));
}
