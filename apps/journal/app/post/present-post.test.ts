import { expect, test } from 'vitest';
import type { JournalPost } from '../../project/entities.ts';
import { parseTree } from '../../project/markdown/parse-tree.ts';
import { markOf, readShape, type Shape, withNote, writeShape } from '../../project/marks.ts';
import { presentPost } from './present-post.ts';

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f'];
const PARAGRAPHS = LETTERS.map(
  (letter) => `Here is the :mark[part ${letter}]{#${letter}} of the plate, and *more* of it.`,
);

/** Returns numbers below 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const marks = LETTERS.map((letter, at) =>
  withNote(markOf(letter, { kind: 'point', x: at * 10, y: 50 }), 'en', `What ${letter} is.`),
);

async function show(
  content: string,
  { language = 'en', ...over }: Partial<JournalPost> & { language?: 'en' | 'de' } = {},
) {
  const post = {
    ...{ id: '1', userId: 'u', title: 'Plate', content, contentFormat: 'markdown', language: 'en' },
    ...{ imageUrl: '/storage/1.png', cover: JSON.stringify({ marks }), createdAt: 1, updatedAt: 1 },
    ...over,
  } as unknown as JournalPost;
  const parseMarkdown = async (text: string) => parseTree(text, () => false);
  return (await presentPost(post, { language, parseMarkdown })).imageWords.marks ?? [];
}

test('of a text that is edited 200 times no mark is lost: it has its passage, or its note alone', async () => {
  const next = numbers(7);
  let text = PARAGRAPHS.join('\n\n');
  let lost = 0;
  for (let edit = 0; edit < 200; edit += 1) {
    const [from, to] = [next(), next()].map((one) => Math.floor(one * text.length)).sort((a, b) => a - b);
    const part = text.slice(from, Math.min(to ?? 0, (from ?? 0) + 40));
    const kinds = [
      text.slice(0, from) + text.slice((from ?? 0) + part.length),
      text.slice(0, from) + part + text.slice(from),
      `${text.slice(0, from)} **${text.slice(from)}`,
      text.slice(0, from) + ['[', ']', '{#a}', ':mark[x]{#z}', '`', '\n\n'][edit % 6] + text.slice(from),
    ];
    text = kinds[Math.floor(next() * kinds.length)] ?? text;
    if (edit % 40 === 0) text = PARAGRAPHS.join('\n\n');
    const shown = await show(text);
    expect(shown.map(({ letter }) => letter)).toEqual(LETTERS);
    lost += shown.filter(({ passage }) => passage === '').length;
  }
  // The edits do take passages away.
  expect(lost).toBeGreaterThan(20);
});

test('a mark has the words of its first passage, wherever in the text this stands', async () => {
  const text = [
    '> The :mark[the **great** vessel]{#b}, and :mark[it again]{#b}.',
    '| One |\n|---|\n| :mark[in a cell]{#c} |',
    'A note.[^1]\n\n[^1]: It is :mark[below]{#d}.',
    `:mark[${'A long passage. '.repeat(40)}]{#e}`,
  ].join('\n\n');
  const shown = new Map((await show(text)).map(({ letter, passage }) => [letter, passage]));
  expect([...'abcd'].map((letter) => shown.get(letter))).toEqual([
    '',
    'the great vessel',
    'in a cell',
    'below',
  ]);
  expect(shown.get('e')).toMatch(/^(A long passage. )+A? ?(long)?…$/);
  expect(shown.get('e')?.length).toBeLessThanOrEqual(200);
});

test('a mark without a note has the original’s words where a translation has lost its passage', async () => {
  const cover = JSON.stringify({ marks: [markOf('a', { kind: 'point', x: 1, y: 2 })] });
  const shown = await show('The :mark[great vessel]{#a}.', {
    ...{ language: 'de', cover, contentDe: 'Das große Gefäß.' },
  });
  expect(shown).toMatchObject([{ letter: 'a', passage: '', note: 'great vessel', noteLanguage: 'en' }]);
});

test('a shape is read as it was written, and nothing else is a shape', () => {
  const next = numbers(3);
  const percent = (most = 100) => Math.round(next() * most * 10) / 10;
  for (let count = 0; count < 300; count += 1) {
    const [x, y] = [percent(), percent()];
    const shapes: Shape[] = [
      { kind: 'point', x, y },
      { kind: 'box', x, y, width: percent(100 - x), height: percent(100 - y) },
      {
        kind: 'outline',
        points: Array.from({ length: 3 + (count % 100) }, () => [percent(), percent()] as const),
      },
    ];
    for (const shape of shapes) {
      const svg = writeShape(shape);
      expect(readShape(svg)).toEqual(shape);
      const at = Math.floor(next() * svg.length);
      for (const hostile of [
        '<script>alert(1)</script>',
        ' onload="alert(1)"',
        '&#60;',
        '\0',
        '<path d="M0"/>',
      ])
        expect(readShape(svg.slice(0, at) + hostile + svg.slice(at))).toBeNull();
    }
  }
  for (const beyond of [
    { kind: 'point', x: 101, y: 5 },
    { kind: 'box', x: 90, y: 0, width: 20, height: 5 },
    {
      kind: 'outline',
      points: [
        [0, 0],
        [0, 200],
        [5, 5],
      ],
    },
  ] as const)
    expect(readShape(writeShape(beyond))).toBeNull();
});
