// Builds the pages and the server, and compresses what browsers load.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { BUILD, fingerprintSources, isBuilt } from './built.mjs';
import { install, removeBuildTools } from './install.mjs';
import { fail, node, removeStamp, root, writeStamp } from './runtime.mjs';

/** Smaller files gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 1_024;

/**
 * Installs what serving needs and builds the pages and the server, unless no file of theirs has changed since the last build.
 * The packages that only the build needs are installed for it and removed again.
 */
export async function buildPages() {
  const fingerprint = fingerprintSources(root);
  if (isBuilt(root, fingerprint)) return install('serving');
  await install('building');
  console.log('Building …');
  removeStamp(BUILD);
  run(['@react-router/dev/bin.cjs', 'build'], 'The pages could not be built.');
  run(['vite/bin/vite.js', 'build', '--config', 'vite.server.config.ts'], 'The server could not be built.');
  compressFiles(join(root, 'apps/journal/build/client'));
  writeStamp(BUILD, fingerprint);
  await removeBuildTools();
}

/** Runs a program of a package to its end. What one that succeeds prints is of no interest. */
function run([program, ...args], failure) {
  const { status, stdout, stderr } = spawnSync(node(), [join(root, 'node_modules', program), ...args], {
    cwd: join(root, 'apps/journal'),
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  if (status !== 0) fail(`${stdout}${stderr}\n${failure}`);
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
