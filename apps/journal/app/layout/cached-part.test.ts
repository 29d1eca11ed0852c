import { createElement as h, type ReactNode } from 'react';
import { jsx } from 'react/jsx-runtime';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { byteText } from '../rendering/byte-text.ts';
import { createMarkupCache } from '../rendering/markup-cache.ts';
import { CachedMarkupContext, CachedPart, type CachedPartProps } from './cached-part.tsx';

interface PageProps {
  language: string;
  texts: readonly string[];
  /** Called with each part that is rendered. */
  onRender(part: string): void;
}

/** Shows a page with a part without texts, one for each text, and one that React moves into the head in parts. */
function Page({ language, texts, onRender }: PageProps) {
  const part = (
    props: Omit<CachedPartProps, 'cacheKey' | 'children'>,
    show: (...texts: string[]) => ReactNode,
  ) => {
    const children = (...shown: string[]) => {
      onRender(`${props.name} ${language}`);
      return show(...shown);
    };
    return jsx(CachedPart, { ...props, cacheKey: [language], children }, props.texts?.[0]);
  };
  return h(
    'html',
    null,
    h('head', null, h('title', null, texts[0])),
    h(
      'body',
      null,
      part({ name: 'menu' }, () => h('nav', { title: `“${language}”` }, '…')),
      texts.map((text) =>
        part({ name: 'link', texts: [text, `/?q=${encodeURIComponent(text)}`] }, (shown, url) =>
          h('a', { href: url, title: shown }, h('b', null, shown), language),
        ),
      ),
      part({ name: 'scripts', texts: [`nonce-${texts[0]}`], isHoisted: true }, (nonce) => [
        h('link', { key: 'link', rel: 'modulepreload', href: `/${language}.js`, nonce }),
        h('script', { key: 'script', type: 'module', src: `/${language}.js` }),
      ]),
    ),
  );
}

it('pages with cached parts are the same as others, and each part is rendered for one page', () => {
  const markupCache = createMarkupCache();
  const rendered: string[] = [];
  const pages = [
    { language: 'de', texts: ['Größe & “Herz”', '<b>"quoted"</b>'] },
    { language: 'en', texts: ["It's $& and $1"] },
    { language: 'de', texts: ['Lunge', 'Größe', '🫀'] },
  ];
  for (const page of pages) {
    const cached = h(Page, { ...page, onRender: (part) => rendered.push(part) });
    const html = renderToString(h(CachedMarkupContext, { value: markupCache }, cached));
    const whole = renderToString(h(Page, { ...page, onRender: () => undefined }));
    expect(markupCache.fill(byteText(html))).toBe(byteText(whole));
  }
  // The first page shows a part twice before it is known.
  const german = ['menu de', 'link de', 'link de', 'scripts de'];
  expect(rendered).toEqual([...german, 'menu en', 'link en', 'scripts en']);
});
