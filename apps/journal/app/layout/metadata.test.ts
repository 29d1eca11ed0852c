import { describe, expect, it } from 'vitest';
import { buildMetadata, type Metadata } from './metadata.ts';

const page: Metadata = {
  title: 'Gallery',
  description: 'Plates and texts.',
  path: '/gallery',
  language: 'de',
  publicUrl: 'https://fabrica.example',
};

function links(metadata: Metadata): Record<string, string>[] {
  return buildMetadata(metadata).filter((tag) => 'tagName' in tag) as Record<string, string>[];
}

describe('metadata', () => {
  it('names every language of the page, and the one address of this one', () => {
    expect(links(page).map(({ rel, hrefLang, href }) => [rel, hrefLang, href])).toEqual([
      ['canonical', undefined, 'https://fabrica.example/gallery?lang=de'],
      ['alternate', 'en', 'https://fabrica.example/gallery?lang=en'],
      ['alternate', 'es', 'https://fabrica.example/gallery?lang=es'],
      ['alternate', 'fr', 'https://fabrica.example/gallery?lang=fr'],
      ['alternate', 'de', 'https://fabrica.example/gallery?lang=de'],
      ['alternate', 'x-default', 'https://fabrica.example/gallery'],
    ]);
    expect(links({ ...page, language: 'en' })[0]?.href).toBe('https://fabrica.example/gallery');
  });

  it('makes the address of the shared picture whole', () => {
    const tags = buildMetadata({ ...page, image: '/storage/journal/posts/1.png' });
    const address = 'https://fabrica.example/storage/journal/posts/1.png';
    expect(tags).toContainEqual({ property: 'og:image', content: address });
    expect(tags).toContainEqual({ name: 'twitter:card', content: 'summary_large_image' });
  });

  it('says of an article who wrote it and when', () => {
    const tags = buildMetadata({ ...page, type: 'article', author: 'Mara', publishedTime: 0 });
    expect(tags).toContainEqual({ property: 'article:author', content: 'Mara' });
    expect(tags).toContainEqual({
      property: 'article:published_time',
      content: '1970-01-01T00:00:00.000Z',
    });
    expect(tags.some((tag) => 'property' in tag && tag.property === 'article:modified_time')).toBe(false);
  });

  it('keeps pages out of search engines that have nothing to be found for', () => {
    const tags = buildMetadata({ ...page, indexed: false });
    expect(tags).toContainEqual({ name: 'robots', content: 'noindex' });
    expect(links({ ...page, indexed: false })).toEqual([]);
  });
});
