import { describe, expect, it } from 'vitest';
import { readLinkTarget, readSignInTarget, safeReturnPath, targetHost } from './sign-in-target.ts';

const ALLOWED = 'https://reader.example';
const RULES = {
  projectId: 'journal',
  isAllowedOrigin: (url: string) => new URL(url).origin === ALLOWED,
};

function read(query: Record<string, string>) {
  return readSignInTarget(new URLSearchParams(query), RULES);
}

function readLink(query: Record<string, string>) {
  return readLinkTarget(new URLSearchParams({ token: 'secret', ...query }), RULES);
}

describe('the path that a reader returns to', () => {
  it.each([
    ['/admin', '/admin'],
    ['/post/post_1?lang=de#comments', '/post/post_1?lang=de#comments'],
    ['/authors', '/authors'],
  ])('a sign-in with the return path %s leads there', (path, expected) => {
    expect(read({ return_to: path })).toEqual({ kind: 'own', returnTo: expected });
  });

  it.each([
    ['nothing at all', null],
    ['an empty path', ''],
    ['a whole URL', 'https://evil.example/'],
    ['another host after two slashes', '//evil.example'],
    ['another host after a backslash', '/\\evil.example'],
    ['another host after a tab', '/\t/evil.example'],
    ['another host after dots', '/.//evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'admin'],
    ['the sign-in page itself', '/auth?view=sign-up'],
    ['a page of the sign-in', '/auth/complete?code=1'],
  ])('a sign-in with %s as return path leads to the gallery', (_, path) => {
    expect(safeReturnPath(path)).toBe('/gallery');
  });
});

describe('the target of a sign-in for another page', () => {
  it('a sign-in redirects to an allowed origin and keeps the state unchanged', () => {
    expect(
      read({ redirect_url: 'https://reader.example/app?x=1', project_id: 'journal', state: 's&=' }),
    ).toEqual({ kind: 'redirect', redirectUrl: 'https://reader.example/app?x=1', state: 's&=' });
  });

  it('a sign-in in a popup posts to the origin of the window that opened it', () => {
    expect(
      read({ mode: 'popup', opener_origin: 'https://reader.example/', state: 's', project_id: 'journal' }),
    ).toEqual({ kind: 'popup', openerOrigin: 'https://reader.example', state: 's' });
  });

  it('a sign-in for an app names the session that the app polls for', () => {
    const sessionId = 'a-session_of-an-app-1';
    expect(read({ mode: 'mobile-session', session_id: sessionId, project_id: 'journal' })).toEqual({
      kind: 'mobile-session',
      sessionId,
    });
  });

  it.each([
    [
      'a user name that looks like an allowed host',
      { redirect_url: 'https://reader.example@evil.example/' },
      'origin',
    ],
    ['an empty URL', { redirect_url: '' }, 'origin'],
    ['another project on this site', { project_id: 'other' }, 'project'],
    ['a popup without an opener', { mode: 'popup' }, 'origin'],
    ['an app without a session', { mode: 'mobile-session' }, 'session'],
    ['a session that is a path', { mode: 'mobile-session', session_id: '../../../account' }, 'session'],
    ['an endless session', { mode: 'mobile-session', session_id: 'a'.repeat(201) }, 'session'],
  ])('a sign-in for %s is refused', (_, query, reason) => {
    expect(read(query)).toEqual({ kind: 'refused', reason });
  });

  it('the host of another site is shown to the reader, and this site’s own host is not', () => {
    const redirectUrl = 'https://reader.example:8443/x';
    expect(targetHost({ kind: 'redirect', redirectUrl, state: null }, 'https://journal.example')).toBe(
      'reader.example:8443',
    );
    const openerOrigin = 'https://journal.example';
    expect(targetHost({ kind: 'popup', openerOrigin, state: null }, openerOrigin)).toBeUndefined();
    expect(targetHost({ kind: 'own', returnTo: '/gallery' }, openerOrigin)).toBeUndefined();
  });
});

describe('the target of the link in a mail', () => {
  it.each([
    ['without parameters signs in here', {}, { kind: 'own', returnTo: '/gallery' }],
    ['with a return path leads to it', { return_to: '/admin' }, { kind: 'own', returnTo: '/admin' }],
    [
      'with an allowed redirect URL redirects to it',
      { redirect_url: `${ALLOWED}/in` },
      { kind: 'redirect', redirectUrl: `${ALLOWED}/in`, state: null },
    ],
    [
      'with a foreign redirect URL is refused',
      { redirect_url: 'https://evil.example/' },
      { kind: 'refused', reason: 'origin' },
    ],
    [
      'for a popup is refused',
      { mode: 'popup', opener_origin: ALLOWED },
      { kind: 'refused', reason: 'mode' },
    ],
    [
      'for an app that waits for a session is refused',
      { mode: 'mobile-session', session_id: '0123456789abcdef' },
      { kind: 'refused', reason: 'mode' },
    ],
  ])('a mail’s link %s', (_, query, target) => {
    expect(readLink(query)).toEqual(target);
  });
});
