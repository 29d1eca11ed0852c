import { describe, expect, it } from 'vitest';
import { ownPath, readSignInRequest } from './read-request.ts';

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
    ['a way that is not offered', { redirect_url: 'https://reader.example/', mode: 'popup' }, 'mode'],
  ])('is refused for %s', (_, query, reason) => {
    expect(read(query)).toEqual({ kind: 'refused', reason });
  });
});
