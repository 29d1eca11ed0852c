// npm start: install, build and serve, each only where it is needed.
import { build, install, serve } from './runtime.mjs';

install();
build();
serve();
