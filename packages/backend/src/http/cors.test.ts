import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAllowedOrigin } from './cors.ts';

const SEED = 20_261;
const ORIGINS = new Set(['https://journal.example', 'http://127.0.0.1:4400', 'http://[::1]:4400']);

/** Matches a URI as RFC 3986, appendix B, takes one apart: scheme, authority and the rest. */
const RFC_3986 = /^([^:/?#]+):\/\/([^/?#]*)/;

/** Returns the scheme, host and port that a strict parser finds, in lower case. */
function strictOrigin(url: string): string {
  const [, scheme = '', authority = ''] = RFC_3986.exec(url) ?? [];
  const place = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  return `${scheme.toLowerCase()}://${place}`;
}

const hosts = [
  'journal.example',
  'evil.example',
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '[::1]',
  'ｊournal.example',
];
const often = <T>(usual: T[], odd: T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...odd));
const oddity = often(
  [''],
  ['\\', '\t', '\n', '@', 'x@', '\\@', '%2f', '%40', '#', '?', ';', '.', ':', ' ', ...hosts],
);
const url = fc
  .tuple(
    often(['https:', 'http:'], ['HTTPS:', ' https:', 'ht\ntps:', 'javascript:', '']),
    often(['//'], ['/', '\\\\', '/\\', '', '///']),
    oddity,
    often(hosts, ['%6aournal.example', 'JOURNAL.example', 'journal.example.evil.example']),
    often(['', ':4400'], [':443', ':0443', ':', ':80']),
    oddity,
    often(['', '/', '/app?x=1#y'], ['/a\\b', '/ä', '/@evil.example', ...hosts]),
    oddity,
  )
  .map((parts) => parts.join(''));

it('a strict parser finds the same origin as a browser in each allowed one of 20,000 generated addresses', () => {
  let allowed = 0;
  fc.assert(
    fc.property(url, (text) => {
      if (!isAllowedOrigin(text, ORIGINS)) return;
      allowed += 1;
      const origin = new URL(text).origin;
      expect(ORIGINS).toContain(origin);
      expect(strictOrigin(text).replace(/^(https:.*):443$/, '$1')).toBe(origin);
      expect(text).not.toMatch(/[\s\\]/);
    }),
    { numRuns: 20_000, seed: SEED },
  );
  expect(allowed).toBeGreaterThan(200);
});

it.each([
  'https://journal.example',
  'https://journal.example/app?next=/a@b#c',
  'HTTPS://Journal.Example:443/',
  'https://journal.example/über',
  'http://127.0.0.1:4400/?x',
  'http://[::1]:4400/',
])('the address %s of a listed origin is allowed', (text) => {
  expect(isAllowedOrigin(text, ORIGINS)).toBe(true);
});

it.each([
  'http://2130706433:4400/',
  'https://journal.example\\@evil.example/',
  'https://x@journal.example/',
  'blob:https://journal.example/1',
])('the address %s, which others may read otherwise, is not allowed', (text) => {
  expect(isAllowedOrigin(text, ORIGINS)).toBe(false);
});
