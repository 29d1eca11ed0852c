import { spawn } from 'node:child_process';
import { entryFile } from './built.mjs';
import { envFileFlags, node, root, serverEnvironment } from './runtime.mjs';

/** Milliseconds between two looks for npm. */
const WATCH_MS = 250;

/** Runs the server in the foreground, and ends with its exit code. The server stops as well when this process is killed. */
export function serve() {
  const child = spawn(node(), [...envFileFlags, entryFile('server', root)], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...serverEnvironment, ...process.env, NODE_ENV: 'production' },
  });
  const stop = () => child.kill('SIGTERM');
  // Ctrl-C reaches the server as well: it decides when to end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', stop);
  if (process.env.npm_lifecycle_event === 'start') whenOrphaned(stop);
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

/** Acts once when npm, which ends on a signal without passing it on, has left this process behind. */
function whenOrphaned(act) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, WATCH_MS);
}
