import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, it } from 'vitest';
import { parseTree } from '../../project/markdown/parse-tree.ts';
import { LanguageProvider } from '../language/language-provider.tsx';
import { loadMessages } from '../language/load-messages.ts';
import { contentsOf } from './contents.ts';
import { MarkdownText } from './markdown-text.tsx';
import { type ParseOptions, plainText, readTree } from './parse-markdown.ts';

await loadMessages('en');

const parseText = (text: string, options?: ParseOptions) =>
  readTree(
    parseTree(text, () => false),
    options,
  );

/** Returns the HTML of a text as a page shows it. */
function html(text: string, sources: readonly string[] = [], language?: string): string {
  const { nodes } = parseText(text, { anchors: true, sources, letters: new Set('ab') });
  const Page = () =>
    createElement(LanguageProvider, {
      language: 'en',
      children: createElement(MarkdownText, { nodes, language }),
    } as never);
  const Stub = createRoutesStub([{ id: 'root', path: '/', Component: Page }]);
  return renderToStaticMarkup(createElement(Stub))
    .replace(/^<div[^>]*>(.*)<\/div>$/s, '$1')
    .replaceAll(' dir="auto"', '');
}

it('paragraphs, headings, lists, emphasis, quotes and links are rendered as elements', () => {
  expect(html('# Imprint\n\nDr **Ada** *Byron*\\\nLondon')).toBe(
    '<h2 id="text-imprint">Imprint</h2><p>Dr <strong>Ada</strong> <em>Byron</em><br/>London</p>',
  );
  expect(html('1. one\n2. two')).toBe('<ol start="1"><li><p>one</p></li><li><p>two</p></li></ol>');
  expect(html('> a\n\n---\n\n`b`')).toBe('<blockquote><p>a</p></blockquote><hr/><p><code>b</code></p>');
  expect(html('[us](/contact) and [them][1]\n\n[1]: https://example.org')).toBe(
    '<p><a href="/contact">us</a> and <a href="https://example.org" rel="nofollow ugc noopener">them</a></p>',
  );
});

it('the highest headings of a text have the same level, whether they were typed with one # or two', () => {
  expect(html('## A\n\n### B')).toBe('<h2 id="text-a">A</h2><h3 id="text-b">B</h3>');
  expect(html('# A\n\n## A')).toBe('<h2 id="text-a">A</h2><h3 id="text-a-2">A</h3>');
});

it('headings within quotations, lists and notes have levels that exist', () => {
  expect(html('> # Foo')).toBe('<blockquote><h2 id="text-foo">Foo</h2></blockquote>');
  expect(html('- Bar\n  ---')).toBe('<ul><li><h2 id="text-bar">Bar</h2></li></ul>');
  expect(html('## A\n\n> # B\n>\n> ### C')).toBe(
    '<h2 id="text-a">A</h2><blockquote><h2 id="text-b">B</h2><h3 id="text-c">C</h3></blockquote>',
  );
  expect(html('A[^1].\n\n[^1]: # Note')).toContain('<h2 id="text-note">Note</h2>');
});

it('links to places of the text lead to its headings, as other programs name them', () => {
  const linked = (href: string, text: string) => html(`[x](${href})\n\n${text}`).match(/href="([^"]*)"/)?.[1];
  expect(linked('#dosage', '## Dosage')).toBe('#text-dosage');
  expect(linked('#dosage--use', '## Dosage & use')).toBe('#text-dosage-use');
  expect(linked('#für-ärzte', '## Für Ärzte')).toBe('#text-für-ärzte');
  expect(linked('#f%C3%BCr-%C3%A4rzte', '## Für Ärzte')).toBe('#text-für-ärzte');
  expect(linked('#dosage-1', '## Dosage\n\n## Dosage')).toBe('#text-dosage-2');
  expect(linked('#text-dosage', '## Dosage')).toBe('#text-dosage');
  expect(linked('#comments', '## Dosage')).toBe('#comments');
  expect(linked('#%E0%A4%A', '## Dosage')).toBe('#%E0%A4%A');
});

it('addresses and DOIs that are typed as text become links', () => {
  expect(html('See 10.1000/xyz and https://example.org.')).toContain(
    'See <a href="https://doi.org/10.1000/xyz" rel="nofollow ugc noopener">10.1000/xyz</a> and <a',
  );
});

it('no link stands within another one, whatever the words of a link are', () => {
  const parts = [
    ':mark[great *vessel*]{#a}',
    '**:mark[heart]{#b}**',
    '[^1]',
    ':cite[key]',
    'https://a.example',
    '*word*',
  ];
  for (const first of parts) {
    for (const second of parts) {
      const shown = html(`See [${first} and ${second}](/contact).\n\n[^1]: A note.`, ['key']);
      expect(shown, shown).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<a /);
      expect(shown).toContain('href="/contact"');
      for (const letter of ['a', 'b'])
        if ((first + second).includes(`{#${letter}}`)) expect(shown).toContain(`href="#mark-${letter}"`);
    }
  }
});

it('footnotes lead to their text and back, and are numbered as the text names them', () => {
  const shown = html('One[^b] two[^a] three[^b].\n\n[^a]: Note A.\n\n[^b]: Note B.');
  expect(shown).toContain('<a id="fnref-1-1" href="#fn-1" role="doc-noteref" aria-label="Footnote 1">1</a>');
  expect(shown).toContain('<li id="fn-1"><p>Note B.</p><a href="#fnref-1-1" role="doc-backlink"');
  expect(shown).toContain('href="#fnref-1-2"');
  expect(shown).toContain('<li id="fn-2"><p>Note A.</p>');
});

it('references are numbered by their first citation, and beside each other share brackets', () => {
  const shown = html('A :cite[b]:cite[a] and :cite[b], :cite[lost].', ['a', 'b', 'c']);
  expect(shown.replaceAll(/<[^>]+>/g, '')).toBe('A [1, 2] and [1], [lost].');
  expect(shown).toContain('<a id="cite-1-2" href="#ref-1" role="doc-biblioref" aria-label="Reference 1">');
});

it('call-outs say in words what they are, and tables have a head and a frame that scrolls', () => {
  expect(html(':::warning\nNo more than 5 mg.\n:::')).toBe(
    '<div role="note" aria-label="Warning" class="callout" data-callout="warning"><p class="callout-label">Warning</p><p>No more than 5 mg.</p></div>',
  );
  expect(html(':::warning\nNie mehr als 5 mg.\n:::', [], 'de')).toContain('aria-label="Warnhinweis"');
  expect(html('| a | b |\n| - | -: |\n| 1 | 2 |')).toBe(
    '<div role="group" class="table-frame" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" style="text-align:right">b</th></tr></thead><tbody><tr><td>1</td><td style="text-align:right">2</td></tr></tbody></table></div>',
  );
});

it('units and formulas have superscript and subscript', () => {
  expect(html('m:sup[2] and CO:sub[2]')).toBe('<p>m<sup>2</sup> and CO<sub>2</sub></p>');
});

it('a figure is shown in the widths of the storage, with caption, credit and licence', () => {
  const shown = html(
    ':::figure{src="/storage/journal/posts/1.webp?v=ab" alt="A heart" credit="Ada" licence="CC BY 4.0" width=800 height=400}\nThe *heart*.\n:::',
  );
  expect(shown).toContain('alt="A heart"');
  expect(shown).toContain('/storage/journal/posts/1.webp?v=ab&amp;w=640 640w');
  expect(shown).toContain(
    '<figcaption>The <em>heart</em>.<p class="figure-credit">Ada · CC BY 4.0</p></figcaption>',
  );
});

it.each([
  ['Patient:innen nehmen 10:30 Uhr', 'Patient:innen nehmen 10:30 Uhr'],
  [':nonsense[label]{x=1}', ':nonsense[label]{x=1}'],
  ['::leaf[label]', '::leaf[label]'],
  [':sup and :cite[two words]', ':sup and :cite[two words]'],
])('%s, which is no directive that is known, stays readable text', (text, expected) => {
  expect(html(text)).toBe(`<p>${expected}</p>`);
});

it('a container that is not known shows its marks and its content', () => {
  expect(html(':::note[Title]{x=y}\nWords *here*.\n:::')).toBe(
    '<p>:::note[Title]{x=y}</p><p>Words <em>here</em>.</p><p>:::</p>',
  );
});

/** Texts that might run or load something, in the old syntax and the new. */
it.each([
  ['[x](javascript:alert(1))', '<p>x</p>'],
  ['[x](JaVaScRiPt:alert(1))', '<p>x</p>'],
  ['[x](data:text/html,y)', '<p>x</p>'],
  ['[x](//evil.example)', '<p>x</p>'],
  ['[x](/\\\\evil.example)', '<p>x</p>'],
  ['[x](</ /evil.example>)', '<p>x</p>'],
  ['[x](vbscript:x)', '<p>x</p>'],
  ['[x](&#x6A;avascript:alert(1))', '<p>x</p>'],
  ['[x]\n\n[x]: javascript:alert(1)', '<p>x</p>'],
  ['<javascript:alert(1)>', '<p>javascript:alert(1)</p>'],
  ['a <img src=x onerror=alert(1)> b', '<p>a &lt;img src=x onerror=alert(1)&gt; b</p>'],
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['| <img src=x> |\n| - |', '&lt;img src=x&gt;'],
  ['a[^1]\n\n[^1]: <b onclick=x>', '&lt;b onclick=x&gt;'],
  [':sup[<img src=x onerror=y>]', '<p><sup>&lt;img src=x onerror=y&gt;</sup></p>'],
  [':sup[x]{onclick="alert(1)"}', '<p><sup>x</sup></p>'],
  [':::warning{onclick="alert(1)" style="x" class="y"}\nz\n:::', '<p>z</p></div>'],
  [':::warning["><script>x</script>]\nz\n:::', '&gt;&lt;script&gt;x&lt;/script&gt;'],
  [':cite["><img src=x>]', '<p>:cite[&quot;&gt;&lt;img src=x&gt;]</p>'],
  [':::figure{src="javascript:alert(1)" alt="x"}\nc\n:::', '<p>x</p><p>c</p>'],
  [
    ':::figure{src="https://evil.example/t.png" alt="x"}\nc\n:::',
    '<p><a href="https://evil.example/t.png" rel="nofollow ugc noopener">x</a></p><p>c</p>',
  ],
  [':::figure{src="/storage/../api/x" alt="x" onerror="y"}\n:::', '<p><a href="/storage/../api/x">x</a></p>'],
  [':::figure{src="//evil.example/storage/x.png" alt="x"}\n:::', '<p>x</p>'],
  ['## <script>x</script>', '<h2 id="text-script-x-script">&lt;script&gt;x&lt;/script&gt;</h2>'],
  [
    '![a tower](https://example.org/t.png)',
    '<p><a href="https://example.org/t.png" rel="nofollow ugc noopener">a tower</a></p>',
  ],
])('%s cannot run code or load a file of another site', (text, expected) => {
  const shown = html(text);
  expect(shown).toContain(expected);
  expect(shown).not.toMatch(/<(?:script|img|iframe|[^>]*\son\w+=)/i);
});

it('the plain words of a text have neither marks nor line breaks nor the numbers of notes', () => {
  expect(
    plainText(parseText('# Who\n\nDr **Ada**\n[Byron](/x)[^1]\n\n- one\n- two\n\n[^1]: A note.').nodes),
  ).toBe('Who Dr Ada Byron one two A note.');
});

it('only a long text with several headings has a table of contents', () => {
  const headings = '## One\n\n## Two\n\n### Three\n\n';
  expect(contentsOf(parseText(headings, { anchors: true }).nodes, plainText)).toEqual([]);
  const long = parseText(`${headings}${'word '.repeat(1_500)}`, { anchors: true });
  expect(contentsOf(long.nodes, plainText)).toEqual([
    { id: 'text-one', level: 0, words: 'One' },
    { id: 'text-two', level: 0, words: 'Two' },
    { id: 'text-three', level: 1, words: 'Three' },
  ]);
});

it.each([
  ['emphasis', 'A **word** of *two*, [one](https://journal.test/a) and :sup[2].\n'],
  ['headings', '## The same words\n\n'],
  ['call-outs', ':::warning\nMind this.\n:::\n\n'],
  ['quoted lists', '> - One\n>   - two\n>     1. three\n\n'],
  ['marks of footnotes', 'A note[^1] and *more*.\n\n'],
])('a long text with many %s is no such text', (_, part) => {
  const text = `${part.repeat(100)}\n[^1]: A note.\n\n| a |\n|---|\n${'| **b** |\n'.repeat(500)}`;
  const [first, ...others] = parseText(text, { anchors: true }).nodes;
  expect(typeof first === 'object' && others.length).toBeGreaterThan(0);
  expect(plainText([first ?? '', ...others])).not.toMatch(/\*|:::|^#/);
});
