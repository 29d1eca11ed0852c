import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { MarkdownText } from './markdown-text.tsx';
import { parseMarkdown, plainText } from './parse-markdown.ts';

function html(text: string): string {
  const markup = renderToStaticMarkup(createElement(MarkdownText, { nodes: parseMarkdown(text) }));
  return markup.replace(/^<div[^>]*>(.*)<\/div>$/s, '$1');
}

it('paragraphs, headings, lists, emphasis, quotes and links are rendered as elements', () => {
  expect(html('# Imprint\n\nDr **Ada** *Byron*\\\nLondon')).toBe(
    '<h2>Imprint</h2><p>Dr <strong>Ada</strong> <em>Byron</em><br/>London</p>',
  );
  expect(html('1. one\n2. two')).toBe('<ol start="1"><li><p>one</p></li><li><p>two</p></li></ol>');
  expect(html('> a\n\n---\n\n`b`')).toBe('<blockquote><p>a</p></blockquote><hr/><p><code>b</code></p>');
  expect(html('[us](/contact) and [them][1]\n\n[1]: https://example.org')).toBe(
    '<p><a href="/contact">us</a> and <a href="https://example.org" rel="noreferrer">them</a></p>',
  );
});

it('the highest headings of a text have the same level, whether they were typed with one # or two', () => {
  expect(html('## A\n\n### B')).toBe('<h2>A</h2><h3>B</h3>');
  expect(html('# A\n\n## B')).toBe('<h2>A</h2><h3>B</h3>');
});

it.each([
  ['[x](javascript:alert(1))', '<p>x</p>'],
  ['[x](JaVaScRiPt:alert(1))', '<p>x</p>'],
  ['[x](data:text/html,y)', '<p>x</p>'],
  ['[x](//evil.example)', '<p>x</p>'],
  ['<javascript:alert(1)>', '<p>javascript:alert(1)</p>'],
  ['a <img src=x onerror=alert(1)> b', '<p>a &lt;img src=x onerror=alert(1)&gt; b</p>'],
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [
    '![a tower](https://example.org/t.png)',
    '<p><a href="https://example.org/t.png" rel="noreferrer">a tower</a></p>',
  ],
])('%s cannot run code or load a file of another site', (text, expected) => {
  expect(html(text)).toBe(expected);
});

it('the plain words of a text have neither marks nor line breaks', () => {
  expect(plainText(parseMarkdown('# Who\n\nDr **Ada**\n[Byron](/x)\n\n- one\n- two'))).toBe(
    'Who Dr Ada Byron one two',
  );
});
