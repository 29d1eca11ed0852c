import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { createRoutesStub, Meta, type MetaDescriptor } from 'react-router';
import { expect, it } from 'vitest';
import { buildMetadata } from '../layout/metadata.ts';
import { DEFAULT_SITE } from '../site/site.ts';
import { type DescribedPage, writeMetadata } from './write-metadata.ts';

const TITLE = `Hers & "his" <b>'hearts'</b> </script> 🫀`;
const METADATA = buildMetadata({
  title: TITLE,
  description: '',
  path: '/post/a',
  language: 'de',
  publicUrl: 'https://journal.test',
  site: { ...DEFAULT_SITE, name: "The doctor's <i>" },
  type: 'article',
  publishedTime: 1_700_000_000_000,
  structuredData: { '@type': 'Article', headline: `${TITLE}\u2028` },
});

/** Writes the metadata of a page whose inner route has none of its own. */
function write(metadata: MetaDescriptor[]) {
  const ids = ['root', 'outer', 'inner'];
  const page = {
    location: { pathname: '/post/a' },
    matches: ids.map((id) => ({ route: { id }, params: { id: 'a' }, pathname: '/post/a' })),
    loaderData: { root: 'of the root', outer: 'own' },
    routeModules: {
      root: {},
      outer: {
        meta({
          loaderData,
          matches,
          params,
        }: {
          loaderData: string;
          matches: { loaderData: string }[];
          params: object;
        }) {
          expect([loaderData, matches.map((match) => match.loaderData)]).toEqual([
            'own',
            ['of the root', 'own'],
          ]);
          expect(params).toEqual({ id: 'a' });
          return metadata;
        },
      },
      inner: {},
    },
  };
  return writeMetadata(page as unknown as DescribedPage);
}

it('the metadata of a page is written as the router and React render it', () => {
  const Page = createRoutesStub([
    { path: '/', meta: () => METADATA, Component: () => h('head', null, h(Meta)) },
  ]);
  const [, rendered = ''] = /^<head>(.*)<\/head>$/s.exec(renderToString(h(Page))) ?? [];
  const { tags = '', data = [] } = write(METADATA) ?? {};
  const scripts = data.map((json) => `<script type="application/ld+json">${json}</script>`);
  expect(tags + scripts.join('')).toBe(rendered);
});

it.each<MetaDescriptor>([
  { tagName: 'link', rel: 'stylesheet', href: 'https://journal.test/a.css' },
  { tagName: 'link', rel: 'canonical', href: 'javascript:alert(1)' },
  { name: 'viewport', content: 'width=device-width' },
  { charSet: 'utf-8' },
  { title: undefined as unknown as string },
  { name: 'description', content: 1 as unknown as string },
  { name: 'description', content: 'a', onload: 'alert(1)' },
])('a tag of which React makes something else is left to the router: %j', (tag) => {
  expect(write([{ title: TITLE }, tag])).toBeUndefined();
});
