// npm start: installs, builds and serves, each only where it is needed. `npm run build` (--build-only) does not serve.
import { buildPages } from './build-pages.mjs';
import { serve } from './serve.mjs';

await buildPages();
if (!process.argv.includes('--build-only')) serve();
