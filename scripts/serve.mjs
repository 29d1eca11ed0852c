import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

/** Acts once when npm, which passes no signal on, has ended before this process: it is its parent, or that of a shell between them. */
function whenOrphaned(act) {
  const parent = process.ppid;
  const { name, ppid } = readProcess(parent);
  const npm = /sh$/.test(name) ? ppid : parent;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(timer);
    act();
  }, WATCH_MS);
}

/** Returns the name of a process, and the number of its parent. */
function readProcess(pid) {
  const found = existsSync('/proc/self/stat')
    ? /\((.*)\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    : /(.*\S)\s+(\d+)/.exec(
        spawnSync('ps', ['-o', 'comm=,ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout,
      );
  const [, name = '', ppid = pid] = found ?? [];
  return { name, ppid: Number(ppid) };
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch ({ code }) {
    return code !== 'ESRCH';
  }
}
