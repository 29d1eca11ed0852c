import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PlainText } from './plain-text.tsx';

it('blank lines of any system separate paragraphs, and what follows a passage stands at its end', () => {
  const text = '\n One\r\ntwo\r\n \r\n\r\nthree.\nFour\n\n\t\nfive\r\rsix ';
  expect(renderToStaticMarkup(createElement(PlainText, { text }))).toBe(
    '<p>One\r\ntwo</p><p>three.\nFour</p><p>five</p><p>six</p>',
  );
  const at = text.indexOf('three.');
  const passages = [[at, at + 'three.'.length]] as const;
  const after = (start: number) => createElement('hr', { id: start });
  expect(renderToStaticMarkup(createElement(PlainText, { text, passages, after }))).toBe(
    `<p>One\r\ntwo</p><p>three.</p><hr id="${at}"/><p>Four</p><p>five</p><p>six</p>`,
  );
});

it('a text of very many paragraphs has the last of them in one', () => {
  const html = renderToStaticMarkup(createElement(PlainText, { text: 'a\n\n'.repeat(1_000) }));
  expect(html.match(/<p>/g)).toHaveLength(200);
  expect(html.match(/a/g)).toHaveLength(1_000);
});
