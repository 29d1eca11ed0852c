import { expect, test } from 'vitest';
import { foldUnchanged } from './fold-unchanged.ts';
import { diffWords } from './word-diff.ts';

const written = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind])
    .join('');

test.each([
  ['Give 5.0 mg twice a day.', 'Give 0.5 mg twice a day.', 'Give [-5.0-]{+0.5+} mg twice a day.'],
  ['The heart', 'The heart', 'The heart'],
  ['The old heart', 'A new heart', '[-The old-]{+A new+} heart'],
  ['', 'The heart', '{+The heart+}'],
  ['The heart', '', '[-The heart-]'],
  ['One\n\nTwo\n\nThree', 'One\n\nThree', 'One\n\n[-Two\n\n-]Three'],
  ['Der Puls ist schnell.', 'Der Puls war sehr schnell.', 'Der Puls [-ist-]{+war+} {+sehr +}schnell.'],
  ['Give it for 4 days.', 'Give it for 9 days.', 'Give it for [-4-]{+9+} days.'],
  ['Take 1-2 of .5 mg', 'Take 3-4 of 5 mg', 'Take [-1-2-]{+3-4+} of [-.5-]{+5+} mg'],
  ['at 120/80, −5 or <5', 'at 140/80, 5 or >5', 'at [-120/80, −5-]{+140/80, 5+} or [-<5-]{+>5+}'],
  ['5mg', '50mg', '[-5mg-]{+50mg+}'],
  ['a b c', 'c b a', '[-a-]{+c+} b [-c-]{+a+}'],
])('the difference of %j and %j is shown by words', (before, after, difference) => {
  expect(written(before, after)).toBe(difference);
});

test('the parts of each side together are its text, whatever was changed', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % below;
  };
  const words = ['heart', 'Herz', '0.5', 'mg', ',', '-', '\n', '\n\n', ' ', '“', '🫀'];
  const text = () => Array.from({ length: random(60) }, () => words[random(words.length)]).join('');
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [text(), text()];
    const parts = diffWords(before, after);
    const side = (own: 'removed' | 'added') =>
      parts.map(({ kind, text: part }) => (kind === 'same' || kind === own ? part : '')).join('');
    expect([side('removed'), side('added')]).toEqual([before, after]);
  }
});

test('a text of 10,000 words that was written anew is compared within a second of the processor', () => {
  const words = (name: string) => Array.from({ length: 10_000 }, (_, index) => `${name}${index}`).join(' ');
  const [before, after] = [words('a'), words('b')];
  const start = process.threadCpuUsage();
  expect(diffWords(before, after).length).toBeGreaterThan(0);
  const { user, system } = process.threadCpuUsage(start);
  expect(user + system).toBeLessThan(1_000_000);
});

test.each([
  [4, { before: false, after: true }, 2],
  [5, { before: false, after: true }, 3],
  [12, { before: true, after: true }, 8],
  [6, { before: true, after: true }, 2],
  [5, { before: true, after: false }, 3],
])('of %i paragraphs beside a change (%j), %i are far enough from it', (number, beside, count) => {
  const text = Array.from({ length: number }, (_, index) => `Paragraph ${index}.`).join('\n\n');
  const parts = foldUnchanged(text, beside);
  if (count < 3) return expect(parts).toBeUndefined();
  expect(parts?.count).toBe(count);
  expect(`${parts?.start}${parts?.folded}${parts?.end}`).toBe(text);
});
