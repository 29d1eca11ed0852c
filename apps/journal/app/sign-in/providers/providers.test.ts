import { expect, it } from 'vitest';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { authorizeUrl, providerName } from './providers.ts';

function read(target: SignInTarget): Record<string, string> {
  const { pathname, searchParams } = new URL(authorizeUrl('google', 'journal', target), 'http://own.invalid');
  expect(pathname).toBe('/api/auth/authorize');
  return Object.fromEntries(searchParams);
}

const TO_GOOGLE = { provider: 'google', project_id: 'journal' };

it('the URL of a provider carries the return path of a sign-in for this site', () => {
  expect(read({ kind: 'own', returnTo: '/post/1?x=1#y' })).toEqual({
    ...TO_GOOGLE,
    return_to: '/post/1?x=1#y',
  });
});

it('the URL of a provider carries the target of a sign-in for another page, a popup or an app', () => {
  const redirectUrl = 'https://reader.example/app?x=1&state=own';
  expect(read({ kind: 'redirect', redirectUrl, state: 's&=' })).toEqual({
    ...TO_GOOGLE,
    mode: 'redirect',
    redirect_url: redirectUrl,
    state: 's&=',
  });
  expect(read({ kind: 'popup', openerOrigin: 'https://reader.example', state: null })).toEqual({
    ...TO_GOOGLE,
    mode: 'popup',
    opener_origin: 'https://reader.example',
  });
  expect(read({ kind: 'mobile-session', sessionId: 'an-app-that-polls' })).toEqual({
    ...TO_GOOGLE,
    mode: 'mobile-session',
    session_id: 'an-app-that-polls',
  });
});

it('providers are called by the names that people know', () => {
  expect(['google', 'github', 'apple', 'microsoft', 'museum'].map(providerName)).toEqual([
    'Google',
    'GitHub',
    'Apple',
    'Microsoft',
    'Museum',
  ]);
});
