import { expect, it } from 'vitest';
import { createSessionCookie } from './session-cookie.ts';

it('over HTTPS the cookie of a session is secure and bound to this host by its prefix', () => {
  const cookie = createSessionCookie('https://journal.example');
  expect(cookie.keep('journal.t')).toBe(
    '__Host-fabrica_session=journal.t; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  expect(cookie.remove()).toContain('__Host-fabrica_session=; Max-Age=0; Path=/; ');
  expect(cookie.read('fabrica_language=de; __Host-fabrica_session=journal.t')).toBe('journal.t');
});

it('a cookie that another host of the domain could set is not read over HTTPS', () => {
  const cookie = createSessionCookie('https://journal.example');
  expect(cookie.read('fabrica_session=journal.t')).toBeUndefined();
  expect(cookie.read('x__Host-fabrica_session=journal.t')).toBeUndefined();
  expect(cookie.read(undefined)).toBeUndefined();
});

it('over HTTP the cookie has no prefix, which browsers would refuse', () => {
  const cookie = createSessionCookie('http://localhost:3000');
  expect(cookie.keep('journal.t')).toBe(
    'fabrica_session=journal.t; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
  );
});
