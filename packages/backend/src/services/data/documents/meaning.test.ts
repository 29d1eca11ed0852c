import { buildTestData, type TestData } from '@fabrica/backend/testing/data/build-test-data.ts';
import { buildDocx } from '@fabrica/backend/testing/data/build-test-documents.ts';
import { strToU8 } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Each call reads a document as a user sends it, and returns what the user gets. */
let data: TestData;

beforeAll(async () => {
  data = await buildTestData();
});
afterAll(() => data.close());

async function send(bytes: Uint8Array | string, type: string, fields: Record<string, string> = {}) {
  const body = new FormData();
  body.append('file', new File([typeof bytes === 'string' ? bytes : Buffer.from(bytes)], 'a', { type }));
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return (await data.send('extract-from-blob', { body })).body;
}
const extract = async (html: string) => (await send(html, 'text/html')).text;

async function scrape(html: string) {
  data.site.handler = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  return (await data.post('scrape', { url: data.at() })).body;
}

const TEXT = '<p>Words that stand around it, so that there is an article to read. </p>'.repeat(3);

/** Codes and characters of Symbol as Adobe and Unicode have published them ("Adobe Symbol Encoding to Unicode"). */
const SYMBOL = [
  [0x21, '! ∀ # ∃ % & ∋ ( ) ∗ + , − . / 0 1 2 3 4 5 6 7 8 9 : ; < = > ? ≅'],
  [0x41, 'Α Β Χ Δ Ε Φ Γ Η Ι ϑ Κ Λ Μ Ν Ο Π Θ Ρ Σ Τ Υ ς Ω Ξ Ψ Ζ [ ∴ ] ⊥ _'],
  [0x61, 'α β χ δ ε φ γ η ι ϕ κ λ µ ν ο π θ ρ σ τ υ ϖ ω ξ ψ ζ { | } ∼'],
  [0xa1, 'ϒ ′ ≤ ⁄ ∞ ƒ ♣ ♦ ♥ ♠ ↔ ← ↑ → ↓ ° ± ″ ≥ × ∝ ∂ • ÷ ≠ ≡ ≈ …'],
  [0xbf, '↵ ℵ ℑ ℜ ℘ ⊗ ⊕ ∅ ∩ ∪ ⊃ ⊇ ⊄ ⊂ ⊆ ∈ ∉ ∠ ∇ ® © ™ ∏ √ ⋅ ¬ ∧ ∨ ⇔ ⇐ ⇑ ⇒ ⇓ ◊ \u2329 ® © ™ ∑'],
  [0xe6, '⎛ ⎜ ⎝ ⎡ ⎢ ⎣ ⎧ ⎨ ⎩ ⎪'],
  [0xf1, '\u232a ∫ ⌠ ⎮ ⌡ ⎞ ⎟ ⎠ ⎤ ⎥ ⎦ ⎫ ⎬ ⎭'],
].flatMap(([first, signs]) =>
  String(signs)
    .split(' ')
    .map((sign, index): [code: number, sign: string] => [Number(first) + index, sign]),
);

const run = (properties: string, text: string) =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const font = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`;
const docx = async (inner: string, extra = {}) =>
  (await send(buildDocx(`<w:p>${inner}</w:p>`, extra), '')).text;

describe('fonts that show signs in place of letters', () => {
  it('each letter of Symbol is read as the sign that it shows, from pages and from Word, in both ways of writing it', async () => {
    expect(SYMBOL).toHaveLength(184);
    const signs = SYMBOL.map(([, sign]) => sign).join(' ');
    const letters = SYMBOL.map(([code]) => `&#${code};`).join(' ');
    const own = SYMBOL.map(([code]) => `&#${0xf000 + code};`).join(' ');
    const symbols = SYMBOL.map(
      ([code]) => `<w:r><w:sym w:font="Symbol" w:char="F0${code.toString(16)}"/></w:r>`,
    );
    expect(await extract(`<p>${TEXT}<font face="Symbol">${letters}</font>`)).toContain(signs);
    expect(await extract(`<p style="font: 12px 'Symbol', serif">${own}`)).toContain(signs);
    expect(await docx(run(font('Symbol'), letters))).toBe(signs);
    expect(await docx(run(font('Symbol'), own))).toBe(signs);
    expect(await docx(symbols.join(run('', ' ')))).toBe(signs);
  });

  it.each([
    ['a page', (inner: string) => extract(inner)],
    ['Markdown', async (inner: string) => (await scrape(inner)).markdown],
    ['a heading', async (inner: string) => (await scrape(`<h2>${inner}</h2>`)).extract.headings[0]],
  ])('micrograms stay micrograms in %s, and only the first font that is named counts', async (_, read) => {
    const dose = (style: string) => `Thyroxine 50 <span style="${style}">m</span>g`;
    expect(await read(dose('font-family:Symbol;mso-ascii-font-family:Calibri'))).toBe('Thyroxine 50 µg');
    expect(await read(dose("color:red;font-family:'Symbol'"))).toBe('Thyroxine 50 µg');
    expect(await read(dose('font-family:Arial, Symbol'))).toBe('Thyroxine 50 mg');
    expect(await read('<font face=Symbol>m<span style="font-family:Arial">m</span>³&nbsp;5</font>')).toMatch(
      /^µm≥\s5$/,
    );
  });

  it('arrows and ticks of Wingdings are read, and a letter that nobody knows is marked', async () => {
    expect(
      await extract(
        '<p>Dose <font face="Wingdings">&#225;</font> <font face="Wingdings 3">h</font> ok <font face=wingdings>&#252;</font>',
      ),
    ).toBe('Dose 🡩 🡑 ok ✓');
    expect(await extract('<p>5 <font face="MT Extra">l</font>')).toBe('5 �');
    expect(await docx(`${run(font('MT Extra'), 'l')}<w:r><w:sym w:font="Symbol" w:char="F07F"/></w:r>`)).toBe(
      '��',
    );
  });

  it('a font is read from the styles of Word, and from what they are based on', async () => {
    const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
      <w:style w:type="character" w:styleId="Greek"><w:rPr>${font('Symbol')}</w:rPr></w:style>
      <w:style w:type="character" w:styleId="Dose"><w:basedOn w:val="Greek"/><w:rPr><w:b/></w:rPr></w:style>
      <w:style w:type="character" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>
      <w:style w:type="paragraph" w:styleId="Old"><w:rPr><w:dstrike/></w:rPr></w:style></w:styles>`;
    const parts = { 'word/styles.xml': strToU8(styles) };
    const dose = run('', '50 ') + run('<w:rStyle w:val="Dose"/>', 'm') + run('', 'g');
    expect(await docx(dose, parts)).toBe('50 µg');
    expect(await docx(`${dose}${run('<w:rStyle w:val="Gone"/>', ' or mg')}`, parts)).toBe('50 µg');
    expect(await docx(run(`<w:rStyle w:val="Dose"/>${font('Arial')}`, 'm'), parts)).toBe('m');
    const changed = `<w:rPrChange w:id="1"><w:rPr>${font('Symbol')}<w:strike/></w:rPr></w:rPrChange>`;
    expect(await docx(run(changed, 'm'), parts)).toBe('m');
    expect(await docx(`<w:pPr><w:pStyle w:val="Old"/></w:pPr>${run('', '5 mg')}`, parts)).toBe('~~5 mg~~');
  });
});

describe('words that were taken back', () => {
  const STRUCK =
    "<p>Take <s>5 mg</s> 10 mg, <strike>3</strike> 4, <span style='text-decoration:line-through'>7</span> 8, <del>1<b>2</b></del>9";

  it('struck words are marked in the text of a page, in its Markdown, headings and HTML', async () => {
    const marked = 'Take ~~5 mg~~ 10 mg, ~~3~~ 4, ~~7~~ 8, ~~12~~9';
    expect(await extract(STRUCK)).toBe(marked);
    const scraped = await scrape(`<h2>Take <s>5</s> 10 mg</h2>${STRUCK}`);
    expect(scraped.markdown).toContain('Take ~~5 mg~~ 10 mg, ~~3~~ 4, ~~7~~ 8, ~~1~~**~~2~~**9');
    expect(scraped.extract).toMatchObject({ headings: ['Take ~~5~~ 10 mg'] });
    expect(scraped.extract.text).toContain(marked);
    expect(scraped.html).toContain('Take <del>5 mg</del> 10 mg');
  });

  it('hidden words are not there, and a page that takes the line away keeps its words', async () => {
    expect(await extract('<p>Take <span style="display: none">5 mg</span>10 mg')).toBe('Take 10 mg');
    expect(await extract('<p>Take <s style="text-decoration: none">5 mg</s>')).toBe('Take 5 mg');
  });

  it('struck and hidden words of Word are marked and left out, and those of a tracked deletion are left out', async () => {
    const text = await docx(
      run('', 'Take ') +
        run('<w:strike/>', '5 mg') +
        run('<w:dstrike/>', ' 6 mg') +
        run('<w:vanish/>', ' 7 mg') +
        `<w:del w:id="1" w:author="A"><w:r><w:delText>8 mg</w:delText></w:r></w:del>` +
        run('<w:strike w:val="0"/>', ' 10 mg') +
        '<w:r><w:t> a day</w:t></w:r>',
    );
    expect(text).toBe('Take ~~5 mg 6 mg~~ 10 mg a day');
  });

  it('struck words are marked in each chunk of a text by themselves', async () => {
    const { chunks } = await send(`<p>First. <s>${'Take five of them. '.repeat(12)}</s> Last.`, 'text/html', {
      chunking: 'true',
      chunkSize: '60',
    });
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) {
      expect(chunk.replace(/~~[^~]+~~/g, '')).toMatch(/^(?:First\.)?\s*(?:Last\.)?$/);
      expect(chunk.length).toBeLessThanOrEqual(64);
    }
  });
});

describe('superscripts and subscripts', () => {
  it.each([
    ['10<sup>9</sup>/L', '10⁹/L'],
    ['10<sup>−6</sup> mol', '10⁻⁶ mol'],
    ['CO<sub>2</sub> and H<sub>2</sub>O', 'CO₂ and H₂O'],
    ['10<span style="vertical-align: super">12</span>', '10¹²'],
    ['10<sup>3.5</sup>', '10^3.5'],
    ['C<sub>max</sub>', 'C_max', 'C\\_max'],
    ['e<sup>x/2</sup>', 'e^(x/2)'],
    ['the 1<sup>st</sup> of Aspirin<sup>®</sup>', 'the 1st of Aspirin®'],
    ['<s>10<sup>9</sup></s> 10<sup>6</sup>', '~~10⁹~~ 10⁶'],
    ['10<sup><s>9</s>6</sup>', '10~~⁹~~⁶', '10^(~~9~~6)'],
  ])('%s is read as %s', async (html, text, markdown = text) => {
    expect(await extract(`<p>${html}`)).toBe(text);
    expect((await scrape(`<p>${html}`)).markdown).toBe(markdown);
  });

  it('they are read from Word, whether a run is raised by its properties, its position or its style', async () => {
    const sup = '<w:vertAlign w:val="superscript"/>';
    expect(await docx(run('', '10') + run(sup, '9') + run('', '/L'))).toBe('10⁹/L');
    expect(await docx(run('', '10') + run('<w:position w:val="8"/>', '9') + run('', '/L'))).toBe('10⁹/L');
    expect(await docx(run('', 'CO') + run('<w:position w:val="-6"/>', '2'))).toBe('CO₂');
  });

  it('preformatted text and headings keep them as well', async () => {
    const { markdown, extract: extracted } = await scrape(
      `<h2>Count of 10<sup>9</sup></h2>${TEXT}<pre>10<sup>9</sup>/L</pre>`,
    );
    expect(markdown).toContain('10⁹/L');
    expect(extracted).toMatchObject({ headings: ['Count of 10⁹'], text: expect.stringContaining('10⁹/L') });
  });
});

describe('what text cannot hold', () => {
  it('the place of an equation is marked', async () => {
    expect(
      await docx(`${run('', 'Rate:')}<m:oMath><m:r><m:t>1</m:t></m:r></m:oMath>${run('', 'a day')}`),
    ).toBe('Rate: [equation] a day');
    const object = '<w:r><w:object><o:OLEObject ProgID="Equation.3"/></w:object></w:r>';
    expect(await docx(`${run('', 'Rate:')}${object}`)).toBe('Rate: [equation]');
    expect(await extract('<p>Rate <math><mn>1</mn></math> or <math alttext="x^2"><mi>x</mi></math>')).toBe(
      'Rate [equation] or x^2',
    );
  });

  it('cells of tables within tables stay apart', async () => {
    const nested =
      '<table><tr><td><table><tr><td>5 mg</td><td>10 ml</td></tr></table></td><td>outer</td></tr></table>';
    expect(await extract(nested)).toMatch(/5 mg\s+10 ml\s+outer/);
    expect((await scrape(nested)).markdown).toMatch(/5 mg[\s|]+10 ml[\s|]+outer/);
    const cell = (inner: string) => `<w:tc>${inner}</w:tc>`;
    const inner = `<w:tbl><w:tr>${cell(`<w:p>${run('', '5 mg')}</w:p>`)}${cell(`<w:p>${run('', '10 ml')}</w:p>`)}</w:tr></w:tbl>`;
    const outer = `</w:p><w:tbl><w:tr>${cell(`${inner}<w:p/>`)}${cell(`<w:p>${run('', 'outer')}</w:p>`)}</w:tr></w:tbl><w:p>`;
    expect(await docx(outer)).toMatch(/5 mg\s+10 ml\s+outer/);
  });
});
