import { expect, test } from 'vitest';
import { postDocument } from '../../../project/document.ts';
import { coverOf, type DeskDocument } from '../document.ts';
import { differingFields, isSameDocument } from './merge-documents.ts';

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
