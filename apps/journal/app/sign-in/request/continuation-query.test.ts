import { expect, it } from 'vitest';
import { carryOn } from './continuation-query.ts';

it('carries on what the sign-in is for, and neither tokens nor what was said before', () => {
  const query = new URLSearchParams({
    token: 'secret',
    error: 'INVALID_CREDENTIALS',
    view: 'sign-up',
    lang: 'de',
    redirect_url: 'https://reader.example/?x=1&y=2',
    state: 's&=',
    return_to: '/post/1#comments',
  });
  const carried = new URL(carryOn('/auth/magic', query), 'http://own.invalid');
  expect(carried.pathname).toBe('/auth/magic');
  expect(Object.fromEntries(carried.searchParams)).toEqual({
    redirect_url: 'https://reader.example/?x=1&y=2',
    state: 's&=',
    return_to: '/post/1#comments',
  });
});

it('leaves an address without a query as it is', () => {
  expect(carryOn('/auth', new URLSearchParams({ token: 'secret' }))).toBe('/auth');
});
