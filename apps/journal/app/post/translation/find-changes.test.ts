import { expect, it } from 'vitest';
import { parseHere } from '../../../project/markdown/parse-tree.ts';
import { releasedHashes } from '../../../testing/released-hashes.ts';
import { findChanges } from './find-changes.ts';

const SOURCE = ['## Dosage', 'Take 5 mg.', '- once\n- twice', '| Drug | Dose |\n| - | - |\n| A | 1 mg |'];
const GERMAN = [
  '## Dosierung',
  'Nimm 5 mg.',
  '- einmal\n- zweimal',
  '| Mittel | Dosis |\n| - | - |\n| A | 1 mg |',
];
const text = GERMAN.join('\n\n');
const post = { title: 'The heart', content: SOURCE.join('\n\n'), contentFormat: 'markdown' };
const parse = async (markdown: string) => parseHere(markdown);
const hashes = await releasedHashes({ ...post, contentFormat: 'markdown' });

const changedWords = async (changes: object) => {
  const { isStale, changed } = await findChanges({ ...post, ...changes }, { text, hashes }, parse);
  return [isStale, ...changed.map(([start, end]) => text.slice(start, end))];
};

it('nothing has changed in the original that a release names', async () => {
  expect(await changedWords({})).toEqual([false]);
});

it('the segments whose original has other words are found, those that moved are not', async () => {
  expect(await changedWords({ content: post.content.replace('5 mg', '50 mg') })).toEqual([
    true,
    'Nimm 5 mg.',
  ]);
  expect(
    await changedWords({ content: post.content.replace('twice', 'thrice').replace('1 mg', '2 mg') }),
  ).toEqual([true, 'zweimal', '1 mg']);
  expect(await changedWords({ content: SOURCE.toReversed().join('\n\n') })).toEqual([true]);
});

it('another title and a paragraph more are a change of no segment', async () => {
  expect(await changedWords({ title: 'Hearts' })).toEqual([true]);
  expect(await changedWords({ content: `${post.content}\n\nStop.` })).toEqual([true]);
});

it('a translation with other segments than it was released with has no places of changes', async () => {
  const changes = await findChanges({ ...post, content: 'Other.' }, { text: 'Etwas.', hashes }, parse);
  expect(changes).toEqual({ isStale: true, changed: [] });
});
