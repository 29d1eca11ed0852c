import { existsSync } from 'node:fs';
import { compareSegments } from '@fabrica/dose-guard';
import { expect, it } from 'vitest';
import { type SegmentText, segmentsOf, splitPost } from '../../segments/split-post.ts';
import { LANGUAGES, type Language } from '../languages.ts';
import { parseHere } from '../markdown/parse-tree.ts';
import { readShape, writeShape } from '../marks.ts';
import { recogniseOther } from '../recognise-language.ts';
import { authors, type DemoPost, posts } from './index.ts';

const languages = LANGUAGES.map(({ code }) => code);
const words = (text: string) =>
  text.split(/[\s\u00a0\u202f]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const picturesOf = ({ artwork, pictures = [] }: DemoPost) => [artwork, ...pictures];

/** Returns the segments of a post in a language, as the desk splits them. */
async function segmentsIn(post: DemoPost, language: Language): Promise<SegmentText[]> {
  const [image, ...pictures] = picturesOf(post).map(({ alt, caption, description, marks = [] }) => ({
    alt: alt[language],
    caption: caption[language],
    description: description?.[language],
    notes: new Map(marks.map(({ letter, note }) => [letter, note?.[language] ?? ''])),
  }));
  const texts = { title: post.title[language], content: post.content[language], ...image, pictures };
  const contentFormat = post.contentFormat ?? null;
  return segmentsOf(await splitPost({ ...texts, contentFormat }, async (text) => parseHere(text)));
}

it('the demo content has at least six posts, each with pictures, an author and a day of its own', () => {
  expect(posts.length).toBeGreaterThanOrEqual(6);
  expect(new Set(posts.map(({ slug }) => slug)).size).toBe(posts.length);
  expect(posts.map(({ daysAgo }) => daysAgo)).toEqual(
    [...new Set(posts.map(({ daysAgo }) => daysAgo))].sort((a, b) => a - b),
  );
  for (const post of posts) {
    for (const { file } of picturesOf(post)) {
      expect(existsSync(new URL(`images/${file}`, import.meta.url)), file).toBe(true);
    }
    expect(authors[post.author]).toBeDefined();
  }
});

it.each(posts.map((post) => [post.slug, post] as const))(
  'the demo post %s has a title, words about its pictures and 200 to 400 words in each language, cites its sources, and is not accused by the guard',
  async (_, post) => {
    const originals = await segmentsIn(post, 'en');
    const cited = (text: string) => [...text.matchAll(/:cite\[(\w+)\]/g)].map(([, key]) => key);
    for (const language of languages) {
      const content = post.content[language];
      expect(words(content), language).toBeGreaterThanOrEqual(200);
      expect(words(content), language).toBeLessThanOrEqual(400);
      expect(cited(content), language).toEqual((post.sources ?? []).map(({ id }) => id));
      const segments = await segmentsIn(post, language);
      expect(segments.map(({ part, kind }) => `${part} ${kind}`)).toEqual(
        originals.map(({ part, kind }) => `${part} ${kind}`),
      );
      for (const { part, text } of segments) expect(text, `${language} ${part}`).not.toBe('');
      const findings = segments.flatMap(({ text }, at) =>
        compareSegments(
          { text: originals[at]?.text ?? '', language: 'en' },
          { text, language },
          { recogniseOther },
        ),
      );
      expect(findings, language).toEqual([]);
    }
    for (const texts of [
      post.title,
      post.content,
      ...picturesOf(post).flatMap((one) => [one.alt, one.caption]),
    ]) {
      expect(new Set(Object.values(texts)).size).toBe(languages.length);
    }
  },
);

it.each(posts.map((post) => [post.slug, post] as const))(
  'the plate of %s is described at length, and each of its marks has words in every language',
  (_, { artwork: { description, marks = [] }, content }) => {
    expect(marks.length).toBeGreaterThanOrEqual(4);
    const letters = marks.map(({ letter }) => letter);
    expect(new Set(letters).size).toBe(letters.length);
    for (const { shape } of marks) expect(readShape(writeShape(shape))).toEqual(shape);
    for (const language of languages) {
      const passages = [...content[language].matchAll(/:mark\[[^\]]+\]\{#(.)\}/g)].map(
        ([, letter]) => letter,
      );
      expect(new Set(passages).size, language).toBe(passages.length);
      expect(letters, language).toEqual(expect.arrayContaining(passages));
      for (const { letter, note } of marks) {
        expect(passages.includes(letter) || Boolean(note?.[language]), `${letter} ${language}`).toBe(true);
        expect(description?.[language], language).toContain(`(${letter})`);
      }
    }
  },
);
