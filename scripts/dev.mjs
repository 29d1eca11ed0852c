// npm run dev: pages reload in place, the server restarts when its own code changes.
import { install, serve } from './runtime.mjs';

install();
serve(['--watch', '--watch-preserve-output', 'apps/journal/server.ts'], {
  NODE_ENV: 'development',
});
