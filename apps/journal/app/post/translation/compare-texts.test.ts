import { expect, it } from 'vitest';
import type { JournalPost } from '../../../project/entities.ts';
import { parseHere } from '../../../project/markdown/parse-tree.ts';
import { releasedHashes } from '../../../testing/released-hashes.ts';
import { plainText } from '../../markdown/parse-markdown.ts';
import { compareTexts } from './compare-texts.ts';

const SOURCE = ['## Dosage', 'Take 5 mg[^1] daily.', ':::warning\nNo more.\n:::', '[^1]: By mouth.'];
const GERMAN = ['## Dosierung', 'Täglich 5 mg[^1].', ':::warning\nNicht mehr.\n:::', '[^1]: Durch den Mund.'];
const post = {
  ...{ title: 'Heart', content: SOURCE.join('\n\n'), contentFormat: 'markdown', sources: null },
  ...{ titleDe: 'Herz', contentDe: GERMAN.join('\n\n') },
};
const hashes = await releasedHashes({ ...post, contentFormat: 'markdown' });

async function compare(changes: object, facts?: object) {
  const translations = facts ? JSON.stringify({ de: facts }) : null;
  const { blocks } = await compareTexts(
    { ...post, ...changes, translations } as unknown as JournalPost,
    'de',
    async (text) => parseHere(text),
  );
  return [...blocks.values()].map(({ words, original, isChanged }) => [
    words,
    plainText(original),
    isChanged,
  ]);
}

it('each block stands beside its original, whose marks of notes are mere numbers', async () => {
  const beside = [
    ['Dosierung', 'Dosage', false],
    ['Täglich 5 mg.', 'Take 5 mg1 daily.', false],
    ['Nicht mehr.', 'No more.', false],
    ['Durch den Mund.', 'By mouth.', false],
  ];
  expect(await compare({}, { hashes })).toEqual(beside);
  expect(await compare({}), 'of which nothing is known').toEqual(beside);
});

it('a block whose original has changed or is gone says so', async () => {
  const content = [SOURCE[0], 'Take 10 mg[^1] daily.', SOURCE[3]].join('\n\n');
  expect(await compare({ content }, { hashes })).toEqual([
    ['Dosierung', 'Dosage', false],
    ['Täglich 5 mg.', 'Take 10 mg1 daily.', true],
    ['Nicht mehr.', '', true],
    ['Durch den Mund.', 'By mouth.', false],
  ]);
});
