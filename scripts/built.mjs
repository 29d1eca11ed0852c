// Tells whether what is built is that of the present sources. Like the other scripts, this one runs before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readStamp } from './runtime.mjs';

/** The name of the stamp that a finished build leaves. */
export const BUILD = 'build';

/** The folder of the modules that Node runs, below that of the repository. */
export const NODE_BUILD = 'apps/journal/build/node';

/** The files that pages and server are made of. */
const SOURCES = ['apps/journal', 'packages', 'package-lock.json'];

/**
 * Returns the path of an entry file, `server` or `cli`, below a checkout: the built one, or the source where that has changed since.
 * So nobody runs other code than what is in the folder.
 */
export function entryFile(name, checkout) {
  return isBuilt(checkout) ? `${NODE_BUILD}/${name}.js` : `apps/journal/${name}.ts`;
}

/** Returns whether pages and server of a checkout are built from its present sources. */
export function isBuilt(checkout, fingerprint) {
  const files = ['apps/journal/build/server/index.js', `${NODE_BUILD}/server.js`];
  return (
    files.every((file) => existsSync(join(checkout, file))) &&
    readStamp(BUILD, checkout) === (fingerprint ?? fingerprintSources(checkout))
  );
}

/** Returns a hash of the names, sizes and times of all sources. Reading them would slow down each start by a second. */
export function fingerprintSources(checkout) {
  const hash = createHash('sha256');
  const walk = (path) => {
    const stat = statSync(join(checkout, path));
    if (!stat.isDirectory()) return hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
    for (const name of readdirSync(join(checkout, path)).sort()) {
      if (!['node_modules', 'build', '.react-router'].includes(name)) walk(join(path, name));
    }
  };
  for (const path of SOURCES) walk(path);
  return hash.digest('hex');
}
