import { expect, it } from 'vitest';
import { tokenAddress } from './token-address.ts';

const TOKENS = {
  access_token: 'a.b.c',
  refresh_token: 'r+/=',
  token_type: 'Bearer',
  expires_in: 900,
  refresh_expires_in: 2_592_000,
} as const;

it('a session goes along in the query, and what stood there stays', () => {
  const handOver = { redirectUrl: 'https://reader.example/app?own=1#part', state: 's&=' };
  const { origin, pathname, hash, searchParams } = new URL(tokenAddress('journal', handOver, TOKENS));
  expect([origin, pathname, hash]).toEqual(['https://reader.example', '/app', '#part']);
  expect(Object.fromEntries(searchParams)).toEqual({
    own: '1',
    access_token: 'a.b.c',
    refresh_token: 'r+/=',
    token_type: 'Bearer',
    expires_in: '900',
    refresh_expires_in: '2592000',
    project_id: 'journal',
    state: 's&=',
  });
});

it('no state is made up for a page that gave none, nor is one of its own taken for it', () => {
  const address = tokenAddress('journal', { redirectUrl: 'https://reader.example/', state: null }, TOKENS);
  expect(new URL(address).searchParams.has('state')).toBe(false);
});
