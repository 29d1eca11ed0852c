// npm start: installs, builds and serves, each only where it is needed. `npm run build` (--build-only) does not serve.
import { spawn } from 'node:child_process';
import { buildPages } from './build-pages.mjs';
import { node, root, serverEnvironment } from './runtime.mjs';

await buildPages();
if (!process.argv.includes('--build-only')) serve();

/** Runs the server in the foreground, and ends with its exit code. */
function serve() {
  const child = spawn(node(), ['apps/journal/server.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...serverEnvironment, ...process.env, NODE_ENV: 'production' },
  });
  // Ctrl-C reaches the server as well: it decides when to end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
