import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import { authors, posts } from './index.ts';

const languages = LANGUAGES.map(({ code }) => code);
const words = (text: string) =>
  text.split(/[\s\u00a0\u202f]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const paragraphs = (text: string) => text.split(/\n\n+/).length;

it('the demo content has at least six posts, each with an artwork, an author and a day of its own', () => {
  expect(posts.length).toBeGreaterThanOrEqual(6);
  expect(new Set(posts.map(({ slug }) => slug)).size).toBe(posts.length);
  expect(posts.map(({ daysAgo }) => daysAgo)).toEqual(
    [...new Set(posts.map(({ daysAgo }) => daysAgo))].sort((a, b) => a - b),
  );
  for (const { artwork, author } of posts) {
    expect(existsSync(new URL(`images/${artwork}`, import.meta.url)), artwork).toBe(true);
    expect(authors[author]).toBeDefined();
  }
});

it.each(posts.map((post) => [post.slug, post] as const))(
  'the demo post %s has a title and 200 to 400 words in each language',
  (_, post) => {
    for (const language of languages) {
      expect(words(post.content[language]), language).toBeGreaterThanOrEqual(200);
      expect(words(post.content[language]), language).toBeLessThanOrEqual(400);
      expect(paragraphs(post.content[language]), language).toBe(paragraphs(post.content.en));
    }
    expect(new Set(languages.map((language) => post.title[language])).size).toBe(languages.length);
    expect(new Set(languages.map((language) => post.content[language])).size).toBe(languages.length);
  },
);
