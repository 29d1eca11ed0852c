import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { takeScripts } from './security-headers.ts';

const NONCE = 'c2VjcmV0LW9mLW9uZS1wYWdl';
const OWN = 'window.own=1';
const MARKED = `<script nonce="${NONCE}">${OWN}</script>`;
const source = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

it('the inline scripts of the rendering have a source, in every form that React writes', () => {
  const page = [
    MARKED,
    `<script nonce="${NONCE}" type="module" async="">import("/assets/entry.js")\nnext()</script>`,
    `<link rel="modulepreload" nonce="${NONCE}" href="/assets/frame.js"/>`,
    MARKED,
  ].join('');
  const { html, scripts } = takeScripts(page, NONCE);
  expect(scripts).toEqual([source(OWN), source('import("/assets/entry.js")\nnext()')]);
  expect(html).not.toContain('nonce');
  expect(html).toContain(`<script>${OWN}</script>`);
});

it.each([
  ['a plain one', '<script>alert(1)</script>'],
  ['one with an empty nonce', '<script nonce="">alert(1)</script>'],
  ['one with a guessed nonce', '<script nonce="c2VjcmV0">alert(1)</script>'],
  ['one whose nonce is an attribute of another name', '<script data-x="1" nonces="1">alert(1)</script>'],
  ['one that begins an own one again', `<script>alert(1)//<script`],
  ['one that ends an own one', `</script><script>alert(1)</script>`],
  ['a module', '<script type="module">alert(1)</script>'],
  ['one in capitals', '<SCRIPT>alert(1)</SCRIPT>'],
  ['one in an SVG', '<svg><script>alert(1)</script></svg>'],
  ['data', '<script type="application/ld+json">{"alert":1}</script>'],
])('an inline script that got into the page otherwise has no source: %s', (_, injected) => {
  expect(takeScripts(`<p>${injected}</p>${MARKED}`, NONCE).scripts).toEqual([source(OWN)]);
  expect(takeScripts(`${MARKED}<p>${injected}</p>`, NONCE).scripts).toEqual([source(OWN)]);
});
