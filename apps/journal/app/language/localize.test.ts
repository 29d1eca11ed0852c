import { describe, expect, it } from 'vitest';
import { formatLongDate } from './format-date.ts';
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

describe('the text that a reader sees', () => {
  it('is the one of their language', () => {
    expect(localize(post, 'en')).toEqual({ title: 'The heart', content: 'It beats on.' });
  });

  it('falls back field by field where the language has none', () => {
    expect(localize(post, 'es')).toEqual({ title: 'El corazón', content: 'It beats.' });
    expect(localize(post, 'fr')).toEqual({ title: 'Heart', content: 'Il bat.' });
    expect(localize(post, 'de')).toEqual({ title: 'Heart', content: 'It beats.' });
  });

  it('is the base text in any other language', () => {
    expect(localize(post, 'it')).toEqual({ title: 'Heart', content: 'It beats.' });
  });
});

describe('a date', () => {
  it('is written out in US English, as it is in UTC', () => {
    expect(formatLongDate(Date.UTC(2026, 10, 21, 23, 59))).toBe('November 21, 2026');
    expect(formatLongDate(Date.UTC(2026, 10, 22, 0, 0))).toBe('November 22, 2026');
  });
});
