#!/usr/bin/env node
// fabrica: the operator's command line. Plain JavaScript, any Node from 20 on; the commands run with the right one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { install, node, root, serverEnvironment } from './runtime.mjs';

// npm writes this file last. What is there is left alone, be it out of date: a server may be running on it.
if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) install();

// In the folder that `npm start` runs in: a relative DATA_DIR means the same folder here and there.
const child = spawn(node(), ['apps/journal/cli.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...serverEnvironment, ...process.env, NODE_ENV: 'production' },
});
// Ctrl-C reaches the whole group, so that the command has it already.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)));
