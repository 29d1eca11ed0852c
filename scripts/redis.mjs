// A redis-server for the tests of several nodes: one already there, else Debian's package.
import { spawnSync } from 'node:child_process';
import { fail } from './runtime.mjs';

const NAMES = ['redis-server', 'valkey-server'];

/** The name or path of a server that starts; installs one where there is none. */
export function redis() {
  const found = process.env.REDIS_SERVER_PATH ?? installed();
  if (found) return found;
  console.log('The tests need a redis-server: installing Debian’s package …');
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const environment = { ...process.env, RUNLEVEL: '1' };
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'redis-server']]) {
    const [command, ...args] = [...sudo, 'apt-get', '-q', ...step];
    // At run level 1 the package starts no service of its own.
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
  }
  return installed() ?? fail('The tests need a redis-server: install one, or name it in REDIS_SERVER_PATH.');
}

function installed() {
  return NAMES.find((name) => spawnSync(name, ['--version'], { timeout: 20_000 }).status === 0);
}
