import { expect, test } from 'vitest';
import { postDocument } from '../../../project/document.ts';
import { markOf } from '../../../project/marks.ts';
import { coverOf, type DeskDocument } from '../document.ts';
import { differingFields, isSameDocument, mergeDocuments } from './merge-documents.ts';

const EMPTY_DOCUMENT: DeskDocument = postDocument.parse({});
const COVER = coverOf({ url: '/a.png', width: 1, height: 1, placeholder: null });

/** Has another value in every field than an empty document. */
const CHANGED: DeskDocument = {
  title: 'A title',
  content: 'A text',
  contentFormat: 'markdown',
  language: 'de',
  translations: { en: { title: 'A title', content: null } },
  untranslated: 'title:es',
  cover: COVER,
  pictures: [COVER],
  sources: [{ id: 'one', type: 'book' }],
  slugs: { de: 'titel' },
  byline: [{ name: 'Ada', role: 'author' }],
};

test('a change of any field of the schema is seen as one, but for translations, which have a page of their own', () => {
  const names = Object.keys(postDocument.shape) as (keyof DeskDocument)[];
  const unseen = names.filter((name) =>
    isSameDocument(EMPTY_DOCUMENT, { ...EMPTY_DOCUMENT, [name]: CHANGED[name] }),
  );
  expect(unseen).toEqual(['translations', 'untranslated']);
});

test('a change of any detail of a picture is a difference of its own', () => {
  const before = { ...EMPTY_DOCUMENT, cover: COVER };
  const details = {
    focal: [10, 20] as [number, number],
    alt: { de: 'a' },
    caption: { de: 'b' },
    credit: 'c',
    licence: 'd',
  };
  const fields = differingFields(before, { ...before, cover: { ...COVER, ...details } });
  expect(fields.map(({ path }) => path)).toEqual(Object.keys(details).map((name) => `cover.${name}`));
});

test('of two people who mark one picture at once, the marks of both stay, and what either removed is gone', () => {
  const at = (letter: string, x: number) => markOf(letter, { kind: 'point', x, y: 10 });
  const withMarks = (...marks: ReturnType<typeof at>[]) => ({
    ...EMPTY_DOCUMENT,
    cover: { ...COVER, marks },
  });
  const base = withMarks(at('a', 1), at('b', 2), at('c', 3), at('d', 4));
  const mine = withMarks(at('a', 11), at('b', 2), at('d', 14), at('e', 50));
  const theirs = withMarks(at('a', 1), at('b', 22), at('c', 3), at('d', 24), at('e', 70), at('f', 80));
  const expected = withMarks(at('a', 11), at('b', 22), at('d', 14), at('e', 50), at('g', 70), at('f', 80));
  expect(mergeDocuments(base, mine, theirs)).toEqual(expected);
  expect(mergeDocuments(base, base, theirs)).toEqual(theirs);
  expect(mergeDocuments(base, mine, base)).toEqual(mine);
  // The passage in their text goes on leading to their mark.
  const content = 'The :mark[valve]{#e}.';
  expect(mergeDocuments(base, mine, { ...theirs, content })).toEqual({
    ...withMarks(at('a', 11), at('b', 22), at('d', 14), at('e', 70), at('g', 50), at('f', 80)),
    content,
  });
});
