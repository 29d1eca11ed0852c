import { expect, it } from 'vitest';
import { localize } from './localize.ts';

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
