import { buildSvg, DISARMED, REFUSED } from '@fabrica/backend/testing/storage/hostile-svgs.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sanitiseSvg } from './sanitise-svg.ts';
import { decodeSvg, looksLikeSvg } from './svg-text.ts';

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const HARM =
  /alert\(|evil\.example|script|foreignobject|<!|<\?|\son\w+=|data:|expression|@import|@font-face|&(?!amp;|lt;|gt;|quot;)/i;

const refused = expect.objectContaining({ code: 'FILE_UNREADABLE' });

describe('hostile SVGs', () => {
  it.each(DISARMED)('an SVG with $what keeps its circle and nothing harmful', async ({ svg }) => {
    const clean = sanitiseSvg(svg);
    expect(clean).toContain('<circle id="c" cx="5" cy="5" r="4" fill="#a33"></circle>');
    expect(clean).not.toMatch(HARM);
    expect(clean.replace(NAMESPACE, '')).not.toMatch(/xmlns|https?:|\/\//);
    expect(sanitiseSvg(clean)).toBe(clean);
    // Read by a strict parser of XML, which knows nothing of ours.
    expect(await sharp(Buffer.from(clean)).metadata()).toMatchObject({ format: 'svg' });
  });

  it.each(REFUSED)('an SVG with $what is refused', ({ svg }) => {
    expect(() => sanitiseSvg(svg)).toThrow(refused);
  });

  it.each([
    ['<g>'],
    ['<style>a{}</style>'],
    ['<!DOCTYPE '],
    ['<![CDATA['],
    ['<rect style="'],
    ['<style>@import url('],
    ['&#'],
    ['<a href="#a'],
    ['<use href="#c"/>'],
    ['<noscript>'],
  ])('an SVG of a hundred thousand %j takes less than ten seconds of processor time', (piece) => {
    const before = process.threadCpuUsage();
    try {
      sanitiseSvg(buildSvg(piece.repeat(100_000)));
    } catch (error) {
      expect(error).toEqual(refused);
    }
    const { user, system } = process.threadCpuUsage(before);
    expect(user + system).toBeLessThan(10_000_000);
  });

  it('an SVG over 2 MB is refused', () => {
    expect(() => sanitiseSvg(buildSvg(`<!--${'x'.repeat(2 * 1024 * 1024)}-->`))).toThrow(refused);
  });
});

describe('what is kept of an SVG', () => {
  it('everything that draws is kept as it is', () => {
    const drawing = [
      '<title>The eye</title>',
      '<defs><linearGradient id="g"><stop offset="0" stop-color="red"></stop></linearGradient></defs>',
      '<g transform="translate(1 2) rotate(45)" style="mix-blend-mode:multiply;fill:url(#g)">',
      '<path d="M0 0L1 1z" fill="url(#g)" stroke="rgb(1 2 3)"></path>',
      '<text xml:space="preserve">a <tspan font-weight="bold">b</tspan> &amp; 1 &lt; 2</text></g>',
      '<use href="#c" x="3"></use>',
      '<rect width="1"><animate attributeName="opacity" values="0;1" dur="1s"></animate></rect>',
    ].join('');
    expect(sanitiseSvg(buildSvg(drawing))).toBe(
      `<svg ${NAMESPACE} viewBox="0 0 10 10">${drawing}<circle id="c" cx="5" cy="5" r="4" fill="#a33"></circle></svg>`,
    );
  });

  it('harmless rules of a style sheet are kept when others are removed', () => {
    const sheet = [
      '@import url("https://fonts.example/css?a;b");',
      '@font-face{font-family:x;src:url(data:font/woff2;base64,AA==)}',
      '.a > .b{fill:url(#g);background:url(https://evil.example);stroke:#fff}',
      '@media (prefers-color-scheme: dark){.a{fill:hsl(1 2% 3%)}}',
    ].join('');
    expect(sanitiseSvg(buildSvg(`<style type="text/css"><![CDATA[${sheet}]]></style>`))).toContain(
      '<style type="text/css">.a &gt; .b{fill:url(#g);;stroke:#fff}@media (prefers-color-scheme: dark){.a{fill:hsl(1 2% 3%)}}</style>',
    );
  });

  it('harmless declarations of a style attribute are kept when others are removed', () => {
    const style = 'fill:red; filter:url(//evil.example#f); stroke:url(#g)';
    expect(sanitiseSvg(buildSvg(`<path style="${style}"/>`))).toContain('style="fill:red;stroke:url(#g)"');
  });

  it('children of a link without a target and of an unknown element are kept', () => {
    const linked = sanitiseSvg(buildSvg('<a xlink:href="https://x.example/"><text>here</text></a>'));
    expect(linked).toContain('<a><text>here</text></a>');
    expect(sanitiseSvg(buildSvg('<blink><rect width="3"/>words</blink>'))).toContain(
      '><rect width="3"></rect><circle',
    );
  });

  it('a reference within the SVG is kept as `href`', () => {
    expect(sanitiseSvg(buildSvg('<use xlink:href="#c"/>'))).toContain('<use href="#c"></use>');
  });

  it('text about scripts is kept as text', () => {
    const clean = sanitiseSvg(buildSvg('<text><![CDATA[<script>alert(1)</script>]]></text>'));
    expect(clean).toContain('<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>');
    expect(sanitiseSvg(clean)).toBe(clean);
  });
});

describe('the encoding of an SVG', () => {
  const drawing = buildSvg('<title>Æsculap</title>');
  const utf16 = Buffer.from(`\uFEFF${drawing}`, 'utf16le');
  it.each([
    ['UTF-8', Buffer.from(drawing)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${drawing}`)],
    ['UTF-16', utf16],
    ['UTF-16 the other way round', Buffer.from(utf16).swap16()],
    ['UTF-16 without a mark', utf16.subarray(2)],
    [
      'ISO 8859-1, as it says',
      Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${drawing}`, 'latin1'),
    ],
  ])('an SVG in %s is decoded', (_, bytes) => {
    expect(looksLikeSvg(bytes.subarray(0, 4_100))).toBe(true);
    expect(sanitiseSvg(decodeSvg(bytes))).toContain('<title>Æsculap</title>');
  });

  it.each([
    ['are cut in two', Buffer.from(drawing, 'latin1')],
    ['are UTF-7', Buffer.from(`<?xml version="1.0" encoding="UTF-7"?>+ADw-svg/+AD4-`)],
  ])('an SVG is refused when its bytes %s', (_, bytes) => {
    expect(() => decodeSvg(bytes)).toThrow(refused);
  });

  it.each(['<html><svg/></html>', 'svg', '<svgx/>', '<!-- <svg/> -->', '{"a":"<svg>"}', ''])(
    '%j is not recognised as an SVG',
    (text) => {
      expect(looksLikeSvg(Buffer.from(text))).toBe(false);
    },
  );

  it.each([
    drawing,
    `\n<?xml version="1.0"?>\n<!-- made by hand --><!DOCTYPE svg PUBLIC "a" "b">\n${drawing}`,
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg>',
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>',
  ])('a document is recognised as an SVG by its root: %j', (text) => {
    expect(looksLikeSvg(Buffer.from(text))).toBe(true);
  });
});
