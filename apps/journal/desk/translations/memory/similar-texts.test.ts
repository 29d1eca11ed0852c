import { expect, it } from 'vitest';
import { memoryKeys, similarity } from './similar-texts.ts';

const TEXT =
  'The recommended dose for adults is 5 mg twice daily, taken with water before meals, for at least ten days.';

it.each([
  ['the same words', TEXT.toUpperCase(), 1],
  ['another number', TEXT.replace('5 mg', '10 mg'), 0.85],
  ['a word more', TEXT.replace('water', 'plenty of water'), 0.85],
  ['half of the words', TEXT.slice(0, TEXT.length / 2), 0.6],
  ['the words in another order', [...TEXT.split(' ')].sort().join(' '), 0],
  ['nothing in common', 'A muscle pumps blood through a body.', 0],
])('texts with %s are as alike as people would say', (_, other, least) => {
  const found = similarity(TEXT, other);
  expect(found).toBeGreaterThanOrEqual(least);
  expect(found).toBeLessThan(least + 0.16);
});

it('texts that are 80 % alike nearly always share a key, and others nearly never', () => {
  const words = Array.from({ length: 400 }, (_, index) => `word${(index * 7919) % 1_009}`);
  let alike = 0;
  let different = 0;
  for (let start = 0; start < 100; start += 1) {
    const text = words.slice(start, start + 30);
    const near = [...text.slice(0, 27), `a${start}`, `b${start}`, `c${start}`];
    const far = words.slice(start + 150, start + 180);
    const sharesKey = (other: readonly string[]) => {
      const keys = memoryKeys(other.join(' '));
      return memoryKeys(text.join(' ')).some((key, index) => key === keys[index]);
    };
    if (sharesKey(near)) alike += 1;
    if (sharesKey(far)) different += 1;
  }
  expect(alike).toBeGreaterThan(95);
  expect(different).toBeLessThan(5);
});
