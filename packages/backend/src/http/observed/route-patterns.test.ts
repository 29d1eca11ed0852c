import { expect, it } from 'vitest';
import { createRouteOf } from './route-patterns.ts';

const routeOf = createRouteOf([
  '/api/*',
  '/api/db/:projectId/*',
  '/api/db/:projectId/rest/v1/:table',
  '/api/ai/:projectId/*',
  '/healthz',
  '/post/:id',
  '/assets/*',
]);

it.each([
  ['/api/db/journal/rest/v1/posts?select=id', '/api/db/:projectId/rest/v1/:table'],
  ['/api/db/journal/sql', '/api/db/:projectId/*'],
  ['/api/ai/journal/text', '/api/ai/:projectId/*'],
  ['/api/nothing', '/api/*'],
  ['/healthz', '/healthz'],
  ['/post/post_1', '/post/:id'],
  ['/post/post_1.data?_routes=x', '/post/:id'],
  ['/assets/index-1.js', '/assets/*'],
  ['/wp-login.php', 'other'],
  [`/${'x'.repeat(5_000)}`, 'other'],
])('the URL %s belongs to the route %s', (url, route) => {
  expect(routeOf(url)).toBe(route);
  // The second time, the pattern is remembered.
  expect(routeOf(url)).toBe(route);
});
