import { expect, test } from 'vitest';
import { markOf, withNote } from '../../../project/marks.ts';
import { annotationPage } from './annotation-page.ts';

const options = { publicUrl: 'https://journal.test', imageUrl: (url: string) => `https://files.test${url}` };
const mark = markOf('a', { kind: 'box', x: 1, y: 2, width: 30, height: 40 });
const post = { id: 'post_1', imageUrl: '/heart.webp', cover: null, pictures: null };

test('the marks of a cover and of further pictures are one page of annotations, with their notes in all languages', () => {
  const noted = withNote(withNote(mark, 'en', 'The aorta'), 'de', 'Die Aorta');
  const cover = JSON.stringify({ marks: [noted] });
  const pictures = JSON.stringify([
    { url: '/vein.webp', marks: [{ ...mark, id: 'b' }] },
    { url: '/bare.webp' },
  ]);
  const page = 'https://journal.test/post/post_1/annotations.json';
  expect(annotationPage({ ...post, cover, pictures }, options)).toEqual({
    '@context': 'http://www.w3.org/ns/anno.jsonld',
    id: page,
    type: 'AnnotationPage',
    items: [
      {
        id: `${page}#a`,
        type: 'Annotation',
        body: [
          { type: 'TextualBody', language: 'en', value: 'The aorta', format: 'text/plain' },
          { type: 'TextualBody', language: 'de', value: 'Die Aorta', format: 'text/plain' },
        ],
        target: { source: 'https://files.test/heart.webp', selector: mark.target.selector },
      },
      {
        id: `${page}#b`,
        type: 'Annotation',
        target: { source: 'https://files.test/vein.webp', selector: mark.target.selector },
      },
    ],
  });
});

test('a post without marks has no page of annotations', () => {
  expect(annotationPage(post, options)).toBeNull();
  expect(annotationPage({ ...post, cover: '{"caption":{"en":"A heart"}}' }, options)).toBeNull();
});
