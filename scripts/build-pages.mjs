// Builds the pages, and compresses what browsers load of them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { install, removeBuildTools } from './install.mjs';
import { fail, node, readStamp, removeStamp, root, writeStamp } from './runtime.mjs';

/** Smaller files gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 1_024;

/**
 * Installs what serving needs and builds the pages, unless no file that they are made of has changed since the last build.
 * The packages that only the build needs are installed for it and removed again.
 */
export async function buildPages() {
  const fingerprint = fingerprintFiles(['apps/journal', 'packages', 'package-lock.json']);
  const built = existsSync(join(root, 'apps/journal/build/server/index.js'));
  if (built && readStamp('build') === fingerprint) return install('serving');
  await install('building');
  console.log('Building …');
  removeStamp('build');
  const { status, stdout, stderr } = spawnSync(
    node(),
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    {
      cwd: join(root, 'apps/journal'),
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
    },
  );
  // The output of a build that succeeds is of no interest.
  if (status !== 0) fail(`${stdout}${stderr}\nThe pages could not be built.`);
  compressFiles(join(root, 'apps/journal/build/client'));
  writeStamp('build', fingerprint);
  await removeBuildTools();
}

/** Writes a brotli and a gzip copy beside each text file, at the highest effort. */
function compressFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compressFiles(path);
    if (!entry.isFile() || !/\.(js|css|svg|json|txt|webmanifest)$/.test(entry.name)) continue;
    const content = readFileSync(path);
    if (content.byteLength < MIN_COMPRESSED_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

/** Returns a hash of the names, sizes and times of all files. Reading them would slow down each start by a second. */
function fingerprintFiles(paths) {
  const hash = createHash('sha256');
  const walk = (path) => {
    const stat = statSync(join(root, path));
    if (!stat.isDirectory()) return hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
    for (const name of readdirSync(join(root, path)).sort()) {
      if (!['node_modules', 'build', '.react-router', 'demo'].includes(name)) walk(join(path, name));
    }
  };
  for (const path of paths) walk(path);
  return hash.digest('hex');
}
