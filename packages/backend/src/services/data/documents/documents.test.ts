import { readFileSync } from 'node:fs';
import { buildDocx, wordParagraph } from '@fabrica/backend/testing/data/build-test-documents.ts';
import { SCRAPE_FORMATS } from '@fabrica/contract/schemas';
import { afterAll, describe, expect, it } from 'vitest';
import { createDocuments } from './documents.ts';

const documents = createDocuments();
const { signal } = new AbortController();

afterAll(() => documents.close());

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../testing/data/documents/${name}`, import.meta.url));

function extract(content: string | Uint8Array, contentType?: string): Promise<string> {
  return documents.extract({ bytes: Buffer.from(content), contentType, url: undefined }, signal);
}

async function scrape(html: string, url = 'https://example.org/travel/coast?page=1') {
  const document = { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', url };
  const scraped = await documents.scrape(document, SCRAPE_FORMATS, signal);
  const { markdown = '', html: safe = '', metadata, links = [], extract: extracted } = scraped;
  return { markdown, html: safe, metadata, links, extracted };
}

const SENTENCE = 'The way to the coast leads over many hills, and through villages where there is bread. ';
const prose = (paragraphs: number) => `<p>${SENTENCE.repeat(4)}</p>`.repeat(paragraphs);

describe('files of real programs', () => {
  const HILLS =
    'Der Weg zur schönen Küste führt über viele Hügel und durch kleine Dörfer, in denen man Käse und Brot kaufen kann. Wer früh aufbricht, sieht die Sonne über dem Fluss aufgehen und hört die Glocken der Kirche.';
  const EVENING =
    'Am Abend wird es kühl. Dann setzt man sich an den Ofen, trinkt Tee und erzählt, was man tagsüber gesehen hat: Möwen, Fähren und fünf große Schiffe.';

  it.each(['coast-pandoc.docx', 'coast-libreoffice.docx', 'coast-libreoffice.pdf', 'coast-chromium.pdf'])(
    '%s is read with its headings, paragraphs, items and rows, on both pages',
    async (name) => {
      const text = await extract(fixture(name));
      const paragraphs = text.split('\n\n');
      expect(paragraphs.slice(0, 6)).toEqual([
        'Die schöne Küste',
        'Änne Öztürk',
        'Anreise über die Hügel',
        HILLS,
        EVENING,
        'Was man mitnimmt',
      ]);
      expect(text).toMatch(/feste Schuhe\s(?:• )?eine Flasche Wasser\s(?:• )?Äpfel und Nüsse/);
      expect(text).toContain('\nÜbersee\t48 €\t9 €\nBärwalde\t55 €\t11 €\n\nZweite Seite: die Rückkehr\n\n');
      expect(text).toMatch(/Zuerst nach Süden\n(?:2\. )?Dann über die Brücke$/);
    },
  );

  it('a PDF with a password is refused for that', async () => {
    await expect(extract(fixture('coast-locked.pdf'))).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
      message: 'This PDF is locked with a password.',
    });
  });

  it('files are recognised by their content, whatever their declared type', async () => {
    expect(await extract(fixture('coast-chromium.pdf'), 'text/html')).toContain(HILLS);
    expect(await extract(fixture('coast-pandoc.docx'), 'text/plain')).toContain(HILLS);
  });

  it('files are split into chunks', async () => {
    const document = { bytes: fixture('coast-pandoc.docx'), contentType: undefined, url: undefined };
    const chunks = await documents.extractChunks(document, 250, signal);
    expect(chunks.slice(0, 3)).toEqual([
      'Die schöne Küste\n\nÄnne Öztürk\n\nAnreise über die Hügel',
      HILLS,
      `${EVENING}\n\nWas man mitnimmt\n\nfeste Schuhe\neine Flasche Wasser\nÄpfel und Nüsse\n\nPreise`,
    ]);
  });

  it('files that are truncated anywhere are read or refused', async () => {
    for (const name of ['coast-libreoffice.pdf', 'coast-libreoffice.docx']) {
      const whole = fixture(name);
      for (const part of [0.1, 0.5, 0.9, 0.999]) {
        const outcome = await extract(whole.subarray(0, whole.length * part)).catch((error) => error.code);
        expect(outcome).toBeTypeOf('string');
      }
    }
  });

  it('a Word file is read without external resources, macros and embedded documents', async () => {
    const image =
      '<w:p><w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="rId9"/></w:drawing></w:r></w:p>';
    const relations =
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" TargetMode="External" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="http://127.0.0.1:9/x.png"/></Relationships>';
    const docx = buildDocx(wordParagraph('Outside') + image, {
      'word/_rels/document.xml.rels': Buffer.from(relations),
      'word/vbaProject.bin': Buffer.alloc(100, 1),
      'word/embeddings/inner.docx': buildDocx(wordParagraph('Inside')),
    });
    expect(await extract(docx)).toBe('Outside');
  });
});

describe('pages as text', () => {
  it('a page is read as its article under its title, without its surroundings', async () => {
    const text = await extract(
      `<!doctype html><title>The coast | Travel News</title><nav><a href=/>Home</a><a href=/x>Ads</a></nav>
       <script>alert("script")</script><style>p { color: red }</style>
       <article><h1>The coast</h1><p>First &amp; foremost:&nbsp;${SENTENCE.repeat(5)}</p>
       <p style="display: none">hidden</p><p hidden>hidden</p>${prose(4)}<ul><li>bread<li>cheese</ul></article>
       <footer>All rights reserved</footer>`,
      'text/html',
    );
    expect(text).toMatch(/^The coast(?: \| Travel News)?\n\nFirst & foremost: The way/);
    expect(text).toMatch(/bread\ncheese$/);
    expect(text).not.toMatch(/alert|color|hidden|Home|rights/);
  });

  it.each([
    ['what is never closed', `<p>One<p>Two <b>bold<div>Three<li>Four`, /^One\n\nTwo bold\n\nThree\s+Four$/],
    [
      'what is closed wrongly',
      '<div><b><i>One</b></i></p></div></span>Two</article>',
      /^One\s+(?:Two|\n\nTwo)$/,
    ],
    ['no markup at all', 'just < text & more', 'just < text & more'],
    ['an unclosed tag', 'One<p title="', 'One'],
    [
      'entities',
      '&Uuml;ber&shy;gang &#x1F642; &nosuchentity; &#0; &lt;b&gt;',
      /^Über\u00adgang 🙂 &nosuchentity; � <b>$/,
    ],
    ['NULs', `a\u0000b<p>${SENTENCE}`, `ab\n\n${SENTENCE.trim()}`],
    ['preformatted lines', '<pre>if x:\n    y()\n</pre>', 'if x:\n    y()'],
    [
      'tables in tables',
      '<table><tr><td><p>A</p><td>B<tr><td><table><tr><td>C<td>D</table><td>E</table>',
      'A\tB\nC\tD\tE',
    ],
    ['empty cells', '<table><tr><td>A<td><td>C</table>', 'A\t\tC'],
    ['frames', '<frameset><frame src=a.html><noframes><body><p>No frames</body></noframes>', 'No frames'],
    ['right to left', '<p dir=rtl>שלום <b>עולם</b>، مرحبا</p>', 'שלום עולם، مرحبا'],
    ['what is within itself', '<a href=/>One <a href=/2>Two</a></a><form><form>Three', /^One Two\s+Three$/],
  ])('a page is read as text: %s', async (_, html, expected) => {
    const text = await extract(html, 'text/html');
    if (typeof expected === 'string') expect(text).toBe(expected);
    else expect(text).toMatch(expected);
  });

  it('a page without an article, or too large to search for one, is read from its main part', async () => {
    const rows = Array.from({ length: 11_000 }, (_, index) => `<tr><td>${index}<td>x`).join('');
    const text = await extract(
      `<body><div>Around</div><main><table>${rows}</table></main><div>Around</div>`,
      'text/html',
    );
    expect(text.startsWith('0\tx\n1\tx\n')).toBe(true);
    expect(text.endsWith('\n10999\tx')).toBe(true);
  });
});

it('text that looks like markup stays text in Markdown', async () => {
  const { markdown } = await scrape(
    `<main>${prose(3)}<p>&lt;script&gt;alert(1)&lt;/script&gt; and 1 &lt; 2</p></main>`,
  );
  expect(markdown).toContain('\\<script>alert(1)\\</script> and 1 \\< 2');
});

describe('large pages', () => {
  const short = (count: number) => '<p>Each word counts.</p>'.repeat(count);
  const around = (inside: string) => `<aside>${prose(2)}Beside it</aside>${inside}<p>Below it</p>`;

  it('a large page is read from its main part', async () => {
    const text = await extract(around(`<main>${short(4_500)}The end</main>`), 'text/html');
    expect(text).toContain('The end');
    expect(text).not.toMatch(/Beside it|Below it/);
  });

  it('a page that is too large to search and has no main part is read whole', async () => {
    const text = await extract(around(`<div>${short(12_500)}The end</div>`), 'text/html');
    for (const part of ['Beside it', 'The end', 'Below it']) expect(text).toContain(part);
  });
});

describe('encodings', () => {
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const latin1 = (text: string) => Buffer.from(text, 'latin1');

  it.each([
    ['UTF-8 that is not declared', Buffer.from('Küste 🙂'), 'text/plain', 'Küste 🙂'],
    ['a mark', Buffer.from('\ufeffKüste'), 'text/plain; charset=iso-8859-1', 'Küste'],
    ['UTF-16 with a mark', Buffer.from('\ufeffKüste', 'utf16le'), undefined, 'Küste'],
    ['UTF-16 the other way round', utf16be('\ufeffKüste'), 'text/plain', 'Küste'],
    ['UTF-16 without a mark', Buffer.from('Die schöne Küste', 'utf16le'), 'text/plain', 'Die schöne Küste'],
    [
      'UTF-16 pages',
      utf16be('\ufeff<html><body><p>Küste<p>Zwei'),
      'application/octet-stream',
      'Küste\n\nZwei',
    ],
    ['a declared charset', Buffer.from([0xb1, 0xe6]), 'text/plain; charset="ISO-8859-2"', 'ąć'],
    ['a charset in <meta>', latin1('<meta charset=windows-1252><p>Küste \x80'), 'text/html', 'Küste €'],
    [
      'one in <meta http-equiv>',
      Buffer.concat([
        Buffer.from('<meta http-equiv=Content-Type content="text/html; charset=Shift_JIS"><p>'),
        Buffer.from([0x93, 0xfa]),
      ]),
      'text/html',
      '日',
    ],
    ['one that cannot be', Buffer.from('<meta charset=utf-16><p>Küste'), 'text/html', 'Küste'],
    ['one that is none', Buffer.from('Küste'), 'text/plain; charset=klingon', 'Küste'],
    ['old western text', latin1('Küste'), undefined, 'Küste'],
    ['a text with few NULs', Buffer.from(`Küste\0${SENTENCE}`), 'text/plain', `Küste${SENTENCE.trim()}`],
    ['line ends of any kind', Buffer.from('a \r\nb\rc\n\n\n\n\nd'), 'text/plain', 'a\nb\nc\n\nd'],
  ])('a text is decoded: %s', async (_, bytes, contentType, text) => {
    expect(await extract(bytes, contentType)).toBe(text);
  });

  it.each([
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), 'image/png'],
    ['bytes that are no text', Buffer.alloc(500, 'ab\0'), 'text/plain'],
    ['an image of text', Buffer.from('<svg/>'), 'image/svg+xml'],
  ])('no text is read from %s', async (_, bytes, contentType) => {
    await expect(extract(bytes, contentType)).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});

describe('scraped pages', () => {
  const HEAD = `<!doctype html><html lang="en-GB"><head><title>The coast – News</title>
    <base href="/base/"><link rel="shortcut icon" href="icon.png"><link rel=canonical href="/travel/coast">
    <meta name=description content="A walk
      to the coast"><meta property="og:title" content="The coast &amp; its bread">
    <meta property="og:image" content="../pictures/coast.jpg"><meta property="og:type" content=article>
    <meta property="og:site_name" content="Travel News"><meta property="og:locale" content=en_GB>
    <meta name=keywords content="coast, bread ,, hills,coast">
    <script type="application/ld+json">{ broken</script>
    <script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebPage","name":"x"},
      {"@type":["NewsArticle"],"headline":"Not this","datePublished":"2026-03-01T08:00:00Z","dateModified":"2026-03-02",
      "author":[{"@type":"Person","name":"Änne Öztürk"},"B. Baker"]}]}</script></head>`;

  it('a scraped page has what the contract says', async () => {
    const { markdown, html, metadata, links, extracted } = await scrape(
      `${HEAD}<body><nav><a href="/">Home</a><a href="#top">Top</a></nav>
       <article><h1>The coast</h1><p>Some <em>bread</em> and <a href="cheese.html">cheese</a>.</p>${prose(4)}
       <h2>What it costs</h2><table><tr><th>Place<th>Room | board<tr><td>Overseas<td><p>48 €</p></table>
       <p>More <a href="https://elsewhere.example/x"><img src="/x.png" alt="elsewhere"></a></p>
       <pre><code>walk --slowly\n  --far</code></pre>${prose(3)}</article></body>`,
    );
    expect(metadata).toEqual({
      title: 'The coast & its bread',
      description: 'A walk to the coast',
      url: 'https://example.org/travel/coast',
      domain: 'example.org',
      favicon: 'https://example.org/base/icon.png',
      image: 'https://example.org/pictures/coast.jpg',
      author: 'Änne Öztürk, B. Baker',
      publishedTime: '2026-03-01T08:00:00Z',
      modifiedTime: '2026-03-02',
      type: 'article',
      siteName: 'Travel News',
      locale: 'en_GB',
      keywords: ['coast', 'bread', 'hills'],
    });
    expect(links).toEqual([
      { text: 'Home', url: 'https://example.org/', type: 'internal' },
      { text: 'Top', url: 'https://example.org/base/#top', type: 'internal' },
      { text: 'cheese', url: 'https://example.org/base/cheese.html', type: 'internal' },
      { text: 'elsewhere', url: 'https://elsewhere.example/x', type: 'external' },
    ]);
    expect(extracted).toMatchObject({
      title: 'The coast & its bread',
      description: 'A walk to the coast',
      headings: ['The coast', 'What it costs'],
    });
    expect(extracted?.text).toContain('What it costs\n\nPlace\tRoom | board\nOverseas\t48 €\n\nMore');
    expect(extracted?.text).not.toContain('Home');
    expect(markdown).toMatch(/^# The coast/);
    expect(markdown).toContain('Some _bread_ and [cheese](https://example.org/base/cheese.html).');
    expect(markdown).toContain(
      '## What it costs\n\n| Place | Room \\| board |\n| --- | --- |\n| Overseas | 48 € |\n\nMore',
    );
    expect(markdown).toContain('[![elsewhere](https://example.org/x.png)](https://elsewhere.example/x)');
    expect(markdown).toContain('```\nwalk --slowly\n  --far\n```');
    expect(html).toContain(
      '<a href="https://example.org/base/cheese.html" rel="nofollow noopener noreferrer">',
    );
    expect(html).toContain('<img alt="elsewhere" src="https://example.org/x.png" />');
  });

  it('a scraped page has the requested formats and no others', async () => {
    const document = { bytes: Buffer.from('<p>Hi'), contentType: 'text/html', url: 'https://example.org/' };
    const scraped = await documents.scrape(document, ['links', 'metadata'], signal);
    expect(scraped).toEqual({
      links: [],
      metadata: {
        title: '',
        description: '',
        url: 'https://example.org/',
        domain: 'example.org',
        favicon: 'https://example.org/favicon.ico',
        keywords: [],
      },
    });
  });

  it.each([
    ['scripts', '<script>evil()</script><SCRIPT SRC=//evil.example></SCRIPT>'],
    ['scripts in broken tags', '<scr<script>ipt>evil()</scr</script>ipt>'],
    ['handlers', '<p onclick=evil()>x</p><img src=x onerror="evil()"><body onload=evil()>'],
    ['addresses that run', '<a href="javascript:evil()">x</a><a href=" java\tscript:evil()">x</a>'],
    ['addresses that hold', '<img src="data:text/html,<script>evil()</script>"><a href="data:,evil()">x</a>'],
    ['vector graphics', '<svg><script>evil()</script><a xlink:href="javascript:evil()">x</a></svg>'],
    ['formulae', '<math><mtext><style><img src=x onerror=evil()></style></mtext></math>'],
    [
      'frames',
      '<iframe srcdoc="<script>evil()</script>"></iframe><object data="javascript:evil()"></object>',
    ],
    [
      'forms',
      '<form action=https://evil.example><input name=evil value=1><button formaction=evil>x</button>',
    ],
    ['styles', '<p style="background:url(evil)" class=evil>x</p><style>@import "evil"</style>'],
    ['names', '<p id=evil>x</p><img name=evil><a name=evil>x</a>'],
    ['what waits in noscript', '<noscript><p title="</noscript><img src=x onerror=evil()>">'],
    ['what waits in attributes', '<p title="&lt;img src=x onerror=evil()&gt;">x'],
    ['what waits in text', '&lt;img src=x onerror=evil()&gt;'],
    [
      'moved pages',
      '<meta http-equiv=refresh content="0;url=javascript:evil()"><base href="javascript:evil()">',
    ],
    ['comments', '<!--><img src=x onerror=evil()>--><![CDATA[<img src=x onerror=evil()>]]>'],
  ])('a scraped page is safe to display as HTML: %s', async (_, html) => {
    const { html: safe } = await scrape(html);
    const tags = safe.match(/<[^>]*>/g)?.map((tag) => tag.replace(/title="[^"]*"/, '')) ?? [];
    expect(tags.join('')).not.toMatch(/evil|javascript:|data:| on\w+=|<script|<style|<svg|<form|<meta/i);
  });

  it('a scraped page has no executable URLs in its links or Markdown', async () => {
    const { links, markdown } = await scrape(
      '<p><a href="javascript:evil()">one</a> <a href="data:text/html,evil()">two</a> <a href="vbscript:evil">three</a>',
    );
    expect(links).toEqual([]);
    expect(markdown).toBe('one two three');
  });

  it('the links of a scraped page include its frames', async () => {
    const { links } = await scrape(
      '<frameset><frame src=menu.html><frame src="https://other.example/"></frameset>',
    );
    expect(links).toEqual([
      { text: '', url: 'https://example.org/travel/menu.html', type: 'internal' },
      { text: '', url: 'https://other.example/', type: 'external' },
    ]);
  });

  it('scraping refuses what is no HTML', async () => {
    const document = { bytes: Buffer.from('text'), contentType: 'text/plain', url: 'https://example.org/' };
    await expect(documents.scrape(document, SCRAPE_FORMATS, signal)).rejects.toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });
});
