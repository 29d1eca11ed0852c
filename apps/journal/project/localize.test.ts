import { expect, it } from 'vitest';
import { contentLanguages, localize, shownLanguage } from './localize.ts';

const post = {
  title: 'Heart',
  content: 'It beats.',
  titleEn: 'The heart',
  titleEs: 'El corazón',
  titleFr: '',
  titleDe: null,
  contentEn: 'It beats on.',
  contentEs: '',
  contentFr: 'Il bat.',
  contentDe: null,
};

it('a post is shown in the language of the reader', () => {
  expect(localize(post, 'en')).toEqual({ title: 'The heart', content: 'It beats on.' });
});

it('a field without a translation is shown in its base text', () => {
  expect(localize(post, 'es')).toEqual({ title: 'El corazón', content: 'It beats.' });
  expect(localize(post, 'fr')).toEqual({ title: 'Heart', content: 'Il bat.' });
  expect(localize(post, 'de')).toEqual({ title: 'Heart', content: 'It beats.' });
});

it('a post is shown in its base text in a language that the journal does not have', () => {
  expect(localize(post, 'it')).toEqual({ title: 'Heart', content: 'It beats.' });
});

it('a text is in the language of the reader only where there is a translation', () => {
  const english = { ...post, contentEn: post.content, contentDe: post.content, language: 'en' };
  expect(contentLanguages(english)).toEqual(['en', 'fr']);
  expect(shownLanguage(english, 'content', 'fr')).toBe('fr');
  for (const language of ['en', 'es', 'de'] as const)
    expect(shownLanguage(english, 'content', language), language).toBe('en');
  expect(shownLanguage(english, 'title', 'es')).toBe('es');
  expect(shownLanguage(english, 'title', 'de')).toBe('en');
});

it('a translation that failed is none, even when the original was changed since', () => {
  const corrected = { ...post, contentDe: 'It beat.', language: 'en', untranslated: 'content:de' };
  expect(shownLanguage(corrected, 'content', 'de')).toBe('en');
});

it('the language of an original that nobody knows is not claimed', () => {
  const unknown = { ...post, contentEn: null, contentFr: null, language: null };
  expect(shownLanguage(unknown, 'content', 'de')).toBeNull();
  expect(contentLanguages(unknown)).toEqual([]);
});
