// npm run dev: Vite reloads pages in place; the server restarts when its own code changes.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { envFileFlags, node, root } from './runtime.mjs';

/** Folders of the server's code. */
const WATCHED = [
  'packages/backend/src',
  'packages/contract/src',
  'packages/dose-guard/src',
  'apps/journal/server',
  'apps/journal/desk',
  'apps/journal/segments',
  'apps/journal/project',
];
/** Milliseconds without a further change before the restart: editors save in several steps. */
const DEBOUNCE_MS = 150;

await install('everything');
let child = start();
let timer;
let ending = false;

for (const folder of WATCHED) {
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (!name || !/\.ts$/.test(name) || /\.test\.ts$/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(restart, DEBOUNCE_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    ending = true;
    child.kill(signal);
    if (child.exitCode !== null) process.exit();
  });
}

function start() {
  const started = spawn(node(), [...envFileFlags, 'apps/journal/server.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development' },
  });
  started.on('exit', (code) => ending && process.exit(code ?? 1));
  return started;
}

function restart() {
  console.log('Changed: restarting …');
  const previous = child;
  const next = () => {
    child = start();
  };
  if (previous.exitCode !== null) return next();
  previous.once('exit', next);
  previous.kill('SIGTERM');
}
