import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // Few routes: naming them all in the page spares a request for each that is met.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
