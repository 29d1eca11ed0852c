import { expect, it } from 'vitest';
import { urlWithTokens } from './url-with-tokens.ts';

const TOKENS = {
  access_token: 'a.b.c',
  refresh_token: 'r+/=',
  token_type: 'Bearer',
  expires_in: 900,
  refresh_expires_in: 2_592_000,
} as const;

it('the tokens are added to the query of the redirect URL, and its own parameters stay', () => {
  const redirectUrl = 'https://reader.example/app?own=1#part';
  const url = new URL(urlWithTokens('journal', { kind: 'redirect', redirectUrl, state: 's&=' }, TOKENS));
  expect([url.origin, url.pathname, url.hash]).toEqual(['https://reader.example', '/app', '#part']);
  expect(Object.fromEntries(url.searchParams)).toEqual({
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

it('a page that gave no state gets none back', () => {
  const target = { kind: 'redirect', redirectUrl: 'https://reader.example/', state: null } as const;
  expect(new URL(urlWithTokens('journal', target, TOKENS)).searchParams.has('state')).toBe(false);
});
