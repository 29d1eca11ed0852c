import { expect, it } from 'vitest';
import { loggedPath } from './render-page.ts';

it.each([
  ['/preview/a-token', '/preview/…'],
  ['/preview/a-token.data', '/preview/…'],
  ['/Preview/a-token', '/Preview/…'],
  ['/gallery', '/gallery'],
])('the log has the path %s as %s', (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});
