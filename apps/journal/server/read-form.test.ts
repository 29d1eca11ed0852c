import { describe, expect, it } from 'vitest';
import { FORM_PAGES, readForm } from './read-form.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function read(headers: Record<string, string>, body = 'email=ada%40example.org') {
  const request = new Request('https://journal.example/auth', { method: 'POST', body });
  return readForm({
    request: { header: (name) => ({ ...FORM, ...headers })[name] },
    body: request.body,
    publicUrl: 'https://journal.example',
  });
}

describe('a form', () => {
  it.each([
    ['says so by Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
    ['says so, and its page keeps its origin to itself', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['says so by Origin alone', { origin: 'https://journal.example' }],
    [
      'says so by Origin, at another address of ours',
      { origin: 'http://10.0.0.7:3000', host: '10.0.0.7:3000' },
    ],
    ['is no browser’s', {}],
    ['names its charset', { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }],
  ])('is read when it comes from our own page and %s', async (_, headers) => {
    expect(await read(headers)).toEqual({ form: 'email=ada%40example.org' });
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.journal.example' }],
    ['another origin, in an old browser', { origin: 'https://evil.example' }],
    ['nobody knows where, in an old browser', { origin: 'null' }],
    ['an origin that is none', { origin: 'journal.example' }],
    ['a host like another', { origin: 'https://journal.example.evil.example', host: 'journal.example' }],
  ])('is refused from %s', async (_, headers) => {
    expect(await read(headers)).toMatchObject({ status: 403 });
  });

  it('is refused in any other encoding, for no form of ours has one', async () => {
    expect(await read({ 'content-type': 'multipart/form-data; boundary=x' })).toMatchObject({ status: 415 });
    expect(await read({ 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  });

  it('has 64 kB at most, whatever its length is said to be', async () => {
    expect(await read({ 'content-length': '3' }, 'x'.repeat(64 * 1024))).toHaveProperty('form');
    expect(await read({ 'content-length': '3' }, 'x'.repeat(64 * 1024 + 1))).toMatchObject({ status: 413 });
  });
});

it.each([
  ['/auth', true],
  ['/auth.data', true],
  ['/auth/magic', true],
  ['/auth/reset.data', true],
  ['/account', true],
  ['/gallery', false],
  ['/authors', false],
  ['/auth/magic/more', false],
  ['/admin', false],
  ['/', false],
])('forms are sent to the pages of signing in and of the account alone: %s', (path, taken) => {
  expect(FORM_PAGES.test(path)).toBe(taken);
});
