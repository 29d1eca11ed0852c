import { expect, test } from 'vitest';
import { linkFinder } from './find-links.ts';

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
  const parts = linkFinder()(text);
  expect(parts.flatMap(({ url }) => url ?? [])).toEqual(urls);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

test('a text has so many links, in whichever of its parts they stand', () => {
  const findLinks = linkFinder(3);
  const parts = ['10.1000/a 10.1000/b', 'none', '10.1000/c 10.1000/d'].map(findLinks);
  expect(parts.map((part) => part.filter(({ url }) => url).length)).toEqual([2, 0, 1]);
  expect(parts[2]?.map(({ text }) => text)).toEqual(['10.1000/c', ' 10.1000/d']);
});

test('a link with very many closing brackets is cut once', () => {
  const link = 'https://journal.test/(a)';
  const rest = ').]'.repeat(300_000);
  expect(linkFinder()(link + rest)).toEqual([{ text: link, url: link }, { text: rest }]);
});
