import { randomFrom } from '@fabrica/test-peers/random.ts';
import { expect, test } from 'vitest';
import { cutExcerpt } from './load-excerpts.ts';

const marked = (text: string, stems: string[]) =>
  cutExcerpt(text, stems)
    .map(({ words, isFound }) => (isFound ? `[${words}]` : words))
    .join('');

test.each([
  ['Das Herz, ein Muskel.', ['herz'], 'Das [Herz], ein Muskel.'],
  ['The hearts of whales.\n\nA heart.', ['heart', 'whale'], 'The [hearts] of [whales]. A [heart].'],
  ['Œdème du cœur', ['coeur'], 'Œdème du [cœur]'],
  ['Nothing of it', ['liver'], 'Nothing of it'],
  [
    `${'before '.repeat(30)}liver${' after'.repeat(60)}`,
    ['liver'],
    `… ${'before '.repeat(7)}[liver]${' after'.repeat(15)} …`,
  ],
])('an excerpt has the words around the first one that is found: %s', (text, stems, excerpt) => {
  expect(marked(text, stems)).toBe(excerpt);
});

test('an excerpt is a part of its text, and marks a word wherever one contains what was looked for', () => {
  const random = randomFrom(7);
  const pick = <T>(choices: readonly T[]) => choices[Math.floor(random() * choices.length)] as T;
  for (let round = 0; round < 500; round += 1) {
    const length = Math.floor(random() * 80);
    const words = Array.from({ length }, () =>
      pick(['heart', 'liver', 'lungs', 'HEARTS', 'a', '…', '5%', '\n']),
    );
    const stem = pick(['heart', 'liver', 'kidney']);
    const parts = cutExcerpt(words.join(' '), [stem]);
    const line = words.join(' ').replace(/\s+/g, ' ').trim();
    const whole = parts.map((part) => part.words).join('');
    expect(line).toContain(whole.replace(/^… /, '').replace(/ …$/, ''));
    const isFound = words.some((word) => word.toLowerCase().includes(stem));
    expect(
      parts.some((part) => part.isFound),
      whole,
    ).toBe(isFound);
    expect(whole.length).toBeLessThan(180);
  }
});
