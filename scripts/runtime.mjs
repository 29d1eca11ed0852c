// The other scripts share these functions. They start before any package is installed: plain JavaScript, any Node from 20 on.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, '.cache');

/** Returns the path of Node 24: that of the npm package `node`, else the running one if it is new enough. */
export function node() {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  fail(
    'Fabrica needs Node 24, and the npm package "node" did not bring it: install Node 24 or allow its install script.',
  );
}

/**
 * The environment of the server's process. Compiled code is cached for the next start. The C library returns large blocks
 * (such as the 19 MB of a password hash) to the system as soon as they are free, and keeps fewer of them per thread. New
 * objects have 16 MB before V8 collects garbage: with 4, what requests in progress hold was copied again and again.
 */
export const serverEnvironment = {
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: join(cache, 'compiled'),
  NODE_OPTIONS: '--max-semi-space-size=16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
};

/** Flags by which Node reads the settings in `.env`, where there is one. Variables of the environment come first. */
export const envFileFlags = existsSync(join(root, '.env')) ? [`--env-file=${join(root, '.env')}`] : [];

/** Prints a sentence and ends this process. */
export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Returns what the last run wrote about a step that it finished in a checkout, or `undefined`. */
export function readStamp(name, checkout = root) {
  const file = stampFile(name, checkout);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

export function writeStamp(name, value) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(stampFile(name), value);
}

export function removeStamp(name) {
  rmSync(stampFile(name), { force: true });
}

function stampFile(name, checkout = root) {
  return join(checkout, '.cache', `${name}.stamp`);
}
