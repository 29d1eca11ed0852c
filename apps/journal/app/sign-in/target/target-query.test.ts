import { expect, it } from 'vitest';
import { withTarget } from './target-query.ts';

it('a link between the sign-in pages carries the target, and neither tokens nor earlier errors', () => {
  const query = new URLSearchParams({
    token: 'secret',
    error: 'INVALID_CREDENTIALS',
    view: 'sign-up',
    lang: 'de',
    redirect_url: 'https://reader.example/?x=1&y=2',
    state: 's&=',
    return_to: '/post/1#comments',
  });
  const { pathname, searchParams } = new URL(withTarget('/auth/magic', query), 'http://own.invalid');
  expect(pathname).toBe('/auth/magic');
  expect(Object.fromEntries(searchParams)).toEqual({
    redirect_url: 'https://reader.example/?x=1&y=2',
    state: 's&=',
    return_to: '/post/1#comments',
  });
});

it('a link between the sign-in pages has no query when there is no target', () => {
  expect(withTarget('/auth', new URLSearchParams({ token: 'secret' }))).toBe('/auth');
});
