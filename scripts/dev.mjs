// npm run dev [-- --inspect]: Vite reloads pages in place; the server restarts when a module that it has imported changes.
import { spawn } from 'node:child_process';
import { install } from './install.mjs';
import { envFileFlags, node, root } from './runtime.mjs';

await install('building');
// What is behind `--` is for the server's process, such as --inspect or --inspect-brk: a debugger on npm's would see nothing of it.
const flags = ['--watch', '--watch-preserve-output', ...envFileFlags, ...process.argv.slice(2)];
const child = spawn(node(), [...flags, 'apps/journal/server.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'development' },
});
// Ctrl-C reaches the server as well: it decides when to end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));
