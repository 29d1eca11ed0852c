import { expect, test } from 'vitest';
import { findLinks } from './linked-text.tsx';

test.each([
  ['See https://example.org/a?b=c#d.', ['https://example.org/a?b=c#d']],
  [
    '(https://example.org/a_(b)), and (http://example.org).',
    ['https://example.org/a_(b)', 'http://example.org'],
  ],
  ['«https://example.org/é»', ['https://example.org/é']],
  [
    'doi:10.1056/NEJMoa2034577, and 10.1016/S0140-6736(20)30183-5.',
    ['https://doi.org/10.1056/NEJMoa2034577', 'https://doi.org/10.1016/S0140-6736(20)30183-5'],
  ],
  ['https://doi.org/10.1056/NEJMoa2034577', ['https://doi.org/10.1056/NEJMoa2034577']],
  ['javascript:alert(1) data:text/html,x //example.org ftp://example.org', []],
  ['http:// https://. http://localhost/x https://[', []],
  ['10.5 mg/kg on 10.11.2026, and 2.10.1234/x', []],
  ['<a href="https://example.org">', ['https://example.org']],
])('the links of %j are found', (text, urls) => {
  const parts = findLinks(text);
  expect(parts.flatMap(({ url }) => url ?? [])).toEqual(urls);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

test('a link with very many closing brackets is cut once', () => {
  const link = 'https://journal.test/(a)';
  const rest = ').]'.repeat(300_000);
  expect(findLinks(link + rest)).toEqual([{ text: link, url: link }, { text: rest }]);
});
