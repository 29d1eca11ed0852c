// node scripts/run.mjs [--build] <program> [arguments]: runs a TypeScript program of the repository with Node 24, whichever Node runs
// this, after everything that it needs is installed and, with --build, pages and server are built.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { buildPages } from './build-pages.mjs';
import { install } from './install.mjs';
import { node, root } from './runtime.mjs';

const [first, ...rest] = process.argv.slice(2);
await install('everything');
if (first === '--build') await buildPages();
const child = spawn(node(), first === '--build' ? rest : [first, ...rest], { cwd: root, stdio: 'inherit' });
// Ctrl-C reaches the program as well: it decides when to end.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)));
