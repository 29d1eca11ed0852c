import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../../project/languages.ts';
import { buildMetadata, type Metadata } from './metadata.ts';

const page: Metadata = {
  title: 'Gallery',
  description: 'Plates and texts.',
  path: '/gallery',
  language: 'de',
  publicUrl: 'https://fabrica.example',
  site: { name: 'Fabrica', languages: ['en', 'es', 'fr', 'de'], logo: null },
};

function links(metadata: Metadata): Record<string, string>[] {
  return buildMetadata(metadata).filter((tag) => 'tagName' in tag) as Record<string, string>[];
}

it('a text that lacks the site’s language has one page for readers of any other, which all its pages name', () => {
  const text = { ...page, languages: ['fr', 'es'] } as const;
  for (const language of LANGUAGE_CODES) {
    const byLanguage = links({ ...text, language }).map(({ rel, hrefLang, href }) => [hrefLang ?? rel, href]);
    expect(byLanguage).toEqual([
      ['canonical', `https://fabrica.example/gallery?lang=${language === 'es' ? 'es' : 'fr'}`],
      ['fr', 'https://fabrica.example/gallery?lang=fr'],
      ['es', 'https://fabrica.example/gallery?lang=es'],
      ['x-default', 'https://fabrica.example/gallery?lang=fr'],
    ]);
  }
});

it('a page is shared with its own image in a shape that all networks show, or with the site’s', () => {
  const tags = buildMetadata({ ...page, image: '/storage/journal/posts/1.png?v=ab12' });
  const url = 'https://fabrica.example/storage/journal/posts/1.png?v=ab12&as=share';
  expect(tags).toContainEqual({ property: 'og:image', content: url });
  expect(tags).toContainEqual({ property: 'og:image:width', content: '1200' });
  expect(tags).toContainEqual({ property: 'og:image:height', content: '630' });
  expect(tags).toContainEqual({ property: 'og:image:alt', content: 'Gallery' });
  expect(tags).toContainEqual({ name: 'twitter:image:alt', content: 'Gallery' });
  expect(tags).toContainEqual({ name: 'twitter:card', content: 'summary_large_image' });
  const shared = (metadata: Metadata) =>
    buildMetadata(metadata).find((tag) => 'property' in tag && tag.property === 'og:image');
  for (const image of [undefined, '/storage/journal/posts/1.svg?v=ab12', 'http://[']) {
    expect(shared({ ...page, image })).toMatchObject({ content: 'https://fabrica.example/icons/share.png' });
  }
  const elsewhere = 'https://elsewhere.example/1.png';
  expect(shared({ ...page, image: elsewhere })).toMatchObject({ content: elsewhere });
  const logo = { url: '/storage/journal/site/logo.png?v=cd', width: 512, height: 512 };
  expect(shared({ ...page, site: { ...page.site, logo } })).toMatchObject({
    content: 'https://fabrica.example/storage/journal/site/logo.png?v=cd&as=share',
  });
});

it('a later page of the gallery is canonical to itself', () => {
  expect(links({ ...page, parameters: { cursor: 'a b' } })[0]).toMatchObject({
    rel: 'canonical',
    href: 'https://fabrica.example/gallery?cursor=a+b&lang=de',
  });
});

it('a canonical URL names its language once, whatever other parameters it has', () => {
  for (const parameters of [{}, { lang: 'fr' }]) {
    const [canonical] = links({ ...page, parameters });
    expect(canonical?.href).toBe('https://fabrica.example/gallery?lang=de');
  }
});

it('a page that is not indexed has no links to other languages', () => {
  const tags = buildMetadata({ ...page, indexed: false });
  expect(tags).toContainEqual({ name: 'robots', content: 'noindex' });
  expect(links({ ...page, indexed: false })).toEqual([]);
});
