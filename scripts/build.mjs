// npm run build: what `npm start` would build.
import { build, install } from './runtime.mjs';

install();
build();
