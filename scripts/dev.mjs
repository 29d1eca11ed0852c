// npm run dev: pages reload in place (Vite), the server starts again when its own code changes.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { install, node, root } from './runtime.mjs';

const OWN_CODE = [
  'packages/backend/src',
  'packages/contract/src',
  'apps/journal/server',
  'apps/journal/project',
];
/** Editors save in several steps. */
const SETTLE_MS = 150;

install();
let child = start();
let timer;
let ending = false;

for (const folder of OWN_CODE) {
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (!name || !/\.ts$/.test(name) || /\.test\.ts$/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(restart, SETTLE_MS);
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
  const started = spawn(node(), ['apps/journal/server.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development' },
  });
  started.on('exit', (code) => ending && process.exit(code ?? 1));
  return started;
}

function restart() {
  console.log('Changed: starting again …');
  const previous = child;
  const next = () => {
    child = start();
  };
  if (previous.exitCode !== null) return next();
  previous.once('exit', next);
  previous.kill('SIGTERM');
}
