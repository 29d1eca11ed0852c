import { describe, expect, it } from 'vitest';
import { FORM_PAGES, readPageForm } from './page-form.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const OWN = { origin: 'https://journal.example' };

function read(headers: Record<string, string>, body = 'email=ada%40example.org') {
  const request = new Request('https://journal.example/auth', { method: 'POST', body });
  return readPageForm({
    request: { header: (name) => ({ ...FORM, ...headers })[name] },
    body: request.body,
    publicUrl: 'https://journal.example',
  });
}

describe('reading a form', () => {
  it.each([
    ['is same-origin by Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
    [
      'is same-origin by Sec-Fetch-Site and hides its Origin',
      { 'sec-fetch-site': 'same-origin', origin: 'null' },
    ],
    ['is same-origin by Origin alone', { origin: 'https://journal.example' }],
    [
      'is same-origin by Origin on another host of the site',
      { origin: 'http://10.0.0.7:3000', host: '10.0.0.7:3000' },
    ],
    ['names its charset', { ...OWN, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }],
  ])('a form that %s is accepted', async (_, headers) => {
    expect(await read(headers)).toEqual({ form: 'email=ada%40example.org' });
  });

  it.each([
    ['names no sender', {}],
    ['was sent by another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['was sent by a sibling site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.journal.example' }],
    ['names another origin, without Sec-Fetch-Site,', { origin: 'https://evil.example' }],
    ['hides its origin, without Sec-Fetch-Site,', { origin: 'null' }],
    [
      'names this host by HTTP, where others can write pages,',
      { origin: 'http://journal.example', host: 'journal.example' },
    ],
    ['names another protocol', { origin: 'ftp://10.0.0.7:3000', host: '10.0.0.7:3000' }],
    ['names an invalid origin', { origin: 'journal.example' }],
    [
      'names a host that begins like the site’s',
      { origin: 'https://journal.example.evil.example', host: 'journal.example' },
    ],
  ])('a form that %s is rejected', async (_, headers) => {
    expect(await read(headers)).toMatchObject({ status: 403 });
  });

  it('a form in any other encoding is rejected', async () => {
    expect(await read({ ...OWN, 'content-type': 'multipart/form-data; boundary=x' })).toMatchObject({
      status: 415,
    });
    expect(await read({ ...OWN, 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  });

  it('a form of more than 160 kB is rejected, also with a smaller Content-Length', async () => {
    expect(await read({ ...OWN, 'content-length': '3' }, 'x'.repeat(160 * 1024))).toHaveProperty('form');
    expect(await read({ ...OWN, 'content-length': '3' }, 'x'.repeat(160 * 1024 + 1))).toMatchObject({
      status: 413,
    });
  });
});

it.each([
  ['/auth', true],
  ['/auth.data', true],
  ['/auth/magic', true],
  ['/auth/reset.data', true],
  ['/account', true],
  ['/auth/session', true],
  ['/post/post_1700000000000', true],
  ['/post/post_1/more', false],
  ['/gallery', false],
  ['/authors', false],
  ['/auth/magic/more', false],
  ['/admin', false],
  ['/', false],
])('whether %s accepts forms is %s', (path, accepted) => {
  expect(FORM_PAGES.test(path)).toBe(accepted);
});
