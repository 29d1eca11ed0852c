#!/usr/bin/env node
// fabrica: the operator's command line. Any Node from 20 on starts it; the commands run with Node 24.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { entryFile } from './built.mjs';
import { install } from './install.mjs';
import { envFileFlags, node, root, serverEnvironment } from './runtime.mjs';

// npm writes this file last. Installed packages are left alone even if they are out of date: a server may be using them.
if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) await install('serving');

// The working folder is that of `npm start`, so that a relative DATA_DIR names the same folder.
const child = spawn(node(), [...envFileFlags, entryFile('cli', root), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...serverEnvironment, ...process.env, NODE_ENV: 'production' },
});
// Ctrl-C reaches the command as well: it decides when to end.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)));
