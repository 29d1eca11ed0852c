import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../language/languages.ts';
import { buildMetadata, type Metadata } from './metadata.ts';

const page: Metadata = {
  title: 'Gallery',
  description: 'Plates and texts.',
  path: '/gallery',
  language: 'de',
  publicUrl: 'https://fabrica.example',
  site: { name: 'Fabrica', languages: ['en', 'es', 'fr', 'de'] },
};

function links(metadata: Metadata): Record<string, string>[] {
  return buildMetadata(metadata).filter((tag) => 'tagName' in tag) as Record<string, string>[];
}

it('a page names its URL in every language, and its canonical one', () => {
  expect(links(page).map(({ rel, hrefLang, href }) => [rel, hrefLang, href])).toEqual([
    ['canonical', undefined, 'https://fabrica.example/gallery?lang=de'],
    ['alternate', 'en', 'https://fabrica.example/gallery?lang=en'],
    ['alternate', 'es', 'https://fabrica.example/gallery?lang=es'],
    ['alternate', 'fr', 'https://fabrica.example/gallery?lang=fr'],
    ['alternate', 'de', 'https://fabrica.example/gallery?lang=de'],
    ['alternate', 'x-default', 'https://fabrica.example/gallery?lang=en'],
  ]);
});

it.each(LANGUAGE_CODES)('the alternate of a page in %s is the canonical URL of that page', (language) => {
  const [canonical, ...alternates] = links({ ...page, language });
  expect(alternates.find(({ hrefLang }) => hrefLang === language)?.href).toBe(canonical?.href);
});

it('the URL of the image to share is absolute', () => {
  const tags = buildMetadata({ ...page, image: '/storage/journal/posts/1.png' });
  const url = 'https://fabrica.example/storage/journal/posts/1.png';
  expect(tags).toContainEqual({ property: 'og:image', content: url });
  expect(tags).toContainEqual({ name: 'twitter:card', content: 'summary_large_image' });
});

it('an article names its author and its date', () => {
  const tags = buildMetadata({ ...page, type: 'article', author: 'Mara', publishedTime: 0 });
  expect(tags).toContainEqual({ property: 'article:author', content: 'Mara' });
  expect(tags).toContainEqual({
    property: 'article:published_time',
    content: '1970-01-01T00:00:00.000Z',
  });
  expect(tags.some((tag) => 'property' in tag && tag.property === 'article:modified_time')).toBe(false);
});

it('a page that is not indexed has no links to other languages', () => {
  const tags = buildMetadata({ ...page, indexed: false });
  expect(tags).toContainEqual({ name: 'robots', content: 'noindex' });
  expect(links({ ...page, indexed: false })).toEqual([]);
});
