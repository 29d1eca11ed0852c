import { describe, expect, it } from 'vitest';
import { ownPath, readSignInRequest, siteOf } from './sign-in-request.ts';

function read(query: Record<string, string>) {
  return readSignInRequest(new URLSearchParams(query), {
    projectId: 'journal',
    isAllowedOrigin: (address) => new URL(address).origin === 'https://reader.example',
  });
}

describe('where a sign-in leads', () => {
  it.each([
    ['/admin', '/admin'],
    ['/post/post_1?lang=de#comments', '/post/post_1?lang=de#comments'],
    ['/authors', '/authors'],
  ])('goes on to %s', (path, expected) => {
    expect(read({ return_to: path })).toEqual({ kind: 'own', returnTo: expected });
  });

  it.each([
    ['nothing at all', null],
    ['an empty path', ''],
    ['a whole address', 'https://evil.example/'],
    ['another host by two slashes', '//evil.example'],
    ['another host by a backslash', '/\\evil.example'],
    ['another host behind a tab', '/\t/evil.example'],
    ['another host behind dots', '/.//evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'admin'],
    ['the sign-in page itself', '/auth?view=sign-up'],
    ['a page of the sign-in', '/auth/complete?code=1'],
  ])('goes to the gallery for %s', (_, path) => {
    expect(ownPath(path)).toBe('/gallery');
  });
});

describe('a sign-in for another page', () => {
  it('hands over to an allowed origin, its state as it came', () => {
    expect(
      read({ redirect_url: 'https://reader.example/app?x=1', project_id: 'journal', state: 's&=' }),
    ).toEqual({
      kind: 'hand-over',
      handOver: { redirectUrl: 'https://reader.example/app?x=1', state: 's&=' },
    });
  });

  it('posts to the origin of the window that opened it', () => {
    expect(
      read({ mode: 'popup', opener_origin: 'https://reader.example/', state: 's', project_id: 'journal' }),
    ).toEqual({ kind: 'popup', openerOrigin: 'https://reader.example', state: 's' });
  });

  it('gives a session to the app that polls for it', () => {
    const sessionId = 'a-session_of-an-app-1';
    expect(read({ mode: 'mobile-session', session_id: sessionId, project_id: 'journal' })).toEqual({
      kind: 'mobile-session',
      sessionId,
    });
  });

  const popup = { mode: 'popup', opener_origin: 'https://reader.example' };
  it.each([
    ['an origin that is not on the list', { redirect_url: 'https://evil.example/' }, 'origin'],
    [
      'a name that begins like an allowed one',
      { redirect_url: 'https://reader.example.evil.example/' },
      'origin',
    ],
    [
      'a user name that looks like an allowed host',
      { redirect_url: 'https://reader.example@evil.example/' },
      'origin',
    ],
    ['no web address', { redirect_url: 'javascript:alert(1)' }, 'origin'],
    ['no address', { redirect_url: '' }, 'origin'],
    ['another project', { redirect_url: 'https://reader.example/', project_id: 'other' }, 'project'],
    ['another project, whoever asks', { project_id: 'other' }, 'project'],
    ['a way that is not offered', { redirect_url: 'https://reader.example/', mode: 'mobile' }, 'mode'],
    ['a popup of nobody', { mode: 'popup' }, 'origin'],
    ['a popup of a stranger', { mode: 'popup', opener_origin: 'https://evil.example' }, 'origin'],
    ['a popup with a stranger to go on to', { ...popup, redirect_url: 'https://evil.example' }, 'origin'],
    ['a window of any origin', { mode: 'popup', opener_origin: '*' }, 'origin'],
    ['an app without a session', { mode: 'mobile-session' }, 'session'],
    ['a session that can be guessed', { mode: 'mobile-session', session_id: 'short' }, 'session'],
    ['a session that is a path', { mode: 'mobile-session', session_id: '../../../account' }, 'session'],
    ['an endless session', { mode: 'mobile-session', session_id: 'a'.repeat(201) }, 'session'],
  ])('is refused for %s', (_, query, reason) => {
    expect(read(query)).toEqual({ kind: 'refused', reason });
  });

  it('is named to the reader, unless it is this site’s own', () => {
    const handOver = { redirectUrl: 'https://reader.example:8443/x', state: null };
    expect(siteOf({ kind: 'hand-over', handOver }, 'https://journal.example')).toBe('reader.example:8443');
    const openerOrigin = 'https://journal.example';
    expect(siteOf({ kind: 'popup', openerOrigin, state: null }, openerOrigin)).toBeUndefined();
    expect(siteOf({ kind: 'own', returnTo: '/gallery' }, openerOrigin)).toBeUndefined();
  });
});
