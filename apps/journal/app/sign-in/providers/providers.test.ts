import { describe, expect, it } from 'vitest';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { authorizeAddress, providerName } from './providers.ts';

function read(request: ServedRequest): Record<string, string> {
  const { pathname, searchParams } = new URL(
    authorizeAddress('google', 'journal', request),
    'http://own.invalid',
  );
  expect(pathname).toBe('/api/auth/authorize');
  return Object.fromEntries(searchParams);
}

const TO_GOOGLE = { provider: 'google', project_id: 'journal' };

describe('the way to a provider', () => {
  it('takes along where the reader wants to go on our own site', () => {
    expect(read({ kind: 'own', returnTo: '/post/1?x=1#y' })).toEqual({
      ...TO_GOOGLE,
      return_to: '/post/1?x=1#y',
    });
  });

  it('takes along what another page, a popup or an app asked for', () => {
    const redirectUrl = 'https://reader.example/app?x=1&state=own';
    expect(read({ kind: 'hand-over', handOver: { redirectUrl, state: 's&=' } })).toEqual({
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
