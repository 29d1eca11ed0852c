// node scripts/assemble-image.mjs <package> <folder>: makes the root file system of the image from what `npm run package` wrote:
// the package, Node without its symbols, the libraries of this system that they load, and nothing else. It runs on Debian, as the
// first stage of deploy/Containerfile; `strip` (binutils) makes Node smaller, where it is installed.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail } from './runtime.mjs';

const [from, to] = process.argv.slice(2).map((path) => resolve(path));
if (from === undefined || to === undefined) fail('Name the package and the folder to make.');
if (existsSync(to)) fail(`There is something at ${to} already.`);
const NODE = 'usr/local/bin/node';
/** The account that everything runs as. */
const ACCOUNT = 1_000;

const FILES = {
  'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\nnode:x:${ACCOUNT}:${ACCOUNT}::/tmp:/sbin/nologin\n`,
  'etc/group': `root:x:0:\nnode:x:${ACCOUNT}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
  // There is no shell.
  'usr/local/bin/fabrica': `#!/${NODE}\nimport '/app/cli.mjs';\n`,
};

for (const path of [
  'usr/local/bin',
  'usr/lib',
  'usr/lib64',
  'etc',
  'proc',
  'dev',
  'sys',
  'data',
  'backups',
  'tmp',
])
  mkdirSync(join(to, path), { recursive: true });
for (const name of ['lib', 'lib64']) symlinkSync(`usr/${name}`, join(to, name));
chmodSync(join(to, 'tmp'), 0o1777);
for (const [path, text] of Object.entries(FILES)) writeFileSync(join(to, path), text);
chmodSync(join(to, 'usr/local/bin/fabrica'), 0o755);
if (existsSync('/etc/os-release')) cpSync(realpathSync('/etc/os-release'), join(to, 'etc/os-release'));
cpSync(from, join(to, 'app'), { recursive: true, verbatimSymlinks: true });
cpSync(realpathSync(process.execPath), join(to, NODE));
spawnSync('strip', ['--strip-unneeded', join(to, NODE)]);
for (const library of libraries()) copyLibrary(library);

/** Returns the paths of this system's libraries that a program or library of the image loads. */
function libraries() {
  const programs = [NODE, ...globSync('app/**/*.{node,so,so.*}', { cwd: to })];
  const found = new Set();
  for (const path of programs.map((name) => join(to, name)).filter(isProgram)) {
    const { stdout } = spawnSync('ldd', [path], { encoding: 'utf8' });
    for (const [, library] of stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)) found.add(library);
  }
  return [...found].filter((path) => !path.startsWith(to));
}

/** Returns whether a file is in the format of programs, and for this processor, as one that `ldd` reads. */
function isProgram(path) {
  if (!lstatSync(path).isFile()) return false;
  const head = Buffer.alloc(4);
  readSync(openSync(path), head, 0, 4, 0);
  return head.equals(Buffer.from('\x7fELF', 'latin1'));
}

/** Copies a library to the path by which it is loaded. */
function copyLibrary(path) {
  const target = join(to, path.startsWith('/usr/') ? path : `/usr${path}`);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(realpathSync(path), target, { dereference: true });
}
