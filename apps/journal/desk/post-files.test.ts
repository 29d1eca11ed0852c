import { expect, test } from 'vitest';
import { buildDocument } from '../testing/open-test-desk.ts';
import { filesOf } from './post-files.ts';

const COVER = '/storage/journal/posts/1.png';

test('the stored files of a document are those of its pictures and texts, in whichever form they are written', () => {
  const content = `:::figure{src="/storage/journal/2.png?v=1"}
    [a](https://journal.test/storage/journal/3.pdf), see:http://journal.test/storage/journal/4.pdf
    (/storage/journal/2.png?v=1) https://journal.test/about /storage/ x/storage/journal/5.png`;
  const translations = { de: { title: null, content: '<https://journal.test/storage/journal/6.png>' } };
  expect(filesOf(buildDocument({ content, translations }))).toEqual([
    COVER,
    '/storage/journal/2.png?v=1',
    'https://journal.test/storage/journal/3.pdf',
    'http://journal.test/storage/journal/4.pdf',
    '/storage/journal/5.png',
    'https://journal.test/storage/journal/6.png',
  ]);
});

/** Reading on to the end from each place would take minutes. */
test.each(['http://', 'http://a/', '/storage', 'https://a/storage'])(
  'a text of %s alone is read once',
  (words) => {
    const content = words.repeat(100_000 / words.length);
    const documents = Array.from({ length: 20 }, () => buildDocument({ content }));
    for (const document of documents) expect(filesOf(document).length).toBeLessThan(3);
  },
);
