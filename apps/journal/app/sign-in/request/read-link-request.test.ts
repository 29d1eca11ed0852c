import { describe, expect, it } from 'vitest';
import { readLinkRequest } from './read-link-request.ts';

const ALLOWED = 'https://reader.example';

function read(query: Record<string, string>) {
  return readLinkRequest(new URLSearchParams({ token: 'secret', ...query }), {
    projectId: 'journal',
    isAllowedOrigin: (address) => new URL(address).origin === ALLOWED,
  });
}

describe('the link of a mail', () => {
  it.each([
    ['is used here', {}, { kind: 'own', returnTo: '/gallery' }],
    ['goes on to a page of ours', { return_to: '/admin' }, { kind: 'own', returnTo: '/admin' }],
    [
      'is handed on to an allowed origin',
      { redirect_url: `${ALLOWED}/in` },
      { kind: 'hand-over', handOver: { redirectUrl: `${ALLOWED}/in`, state: null } },
    ],
    [
      'is handed to no other',
      { redirect_url: 'https://evil.example/' },
      { kind: 'refused', reason: 'origin' },
    ],
    [
      'is handed to no window',
      { mode: 'popup', opener_origin: ALLOWED },
      { kind: 'refused', reason: 'mode' },
    ],
    [
      'signs in for no app that waits for a session',
      { mode: 'mobile-session', session_id: '0123456789abcdef' },
      { kind: 'refused', reason: 'mode' },
    ],
  ])('%s', (_, query, request) => {
    expect(read(query)).toEqual(request);
  });
});
