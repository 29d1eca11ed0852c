import { expect, it } from 'vitest';
import { codeOfStep, findStep, makeSecret, otpauthUrl, stepAt, toBase32 } from './totp.ts';

/** The secret of the test vectors, and their times in seconds with the last six of their eight digits (RFC 6238, appendix B). */
const SECRET = toBase32(Buffer.from('12345678901234567890'));

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i is the one of RFC 6238', (seconds, code) => {
  expect(codeOfStep(SECRET, stepAt(seconds * 1_000))).toBe(code);
});

it.each([
  [-61, undefined],
  [-30, -1],
  [0, 0],
  [30, 1],
  [60, undefined],
])('a code of %i seconds from now is that of step %s', (seconds, offset) => {
  const now = 1_700_000_010_000;
  const code = codeOfStep(SECRET, stepAt(now + seconds * 1_000));
  expect(findStep(SECRET, code, now)).toBe(offset === undefined ? undefined : stepAt(now) + offset);
});

it('a new secret has 160 bits, and its URL is what authenticator apps read', () => {
  const secret = makeSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(makeSecret()).not.toBe(secret);
  const url = new URL(otpauthUrl({ secret, issuer: 'journal.example:8443', account: 'ada@example.org' }));
  expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/journal.example:8443:ada@example.org',
  ]);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    secret,
    issuer: 'journal.example:8443',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
