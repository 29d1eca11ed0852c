import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  // Few routes: naming them all in the page spares a request for each that is met.
  routeDiscovery: { mode: 'initial' },
  // The action of a form is small, and apart from its page it would be one request more before the page is hydrated.
  splitRouteModules: false,
} satisfies Config;
