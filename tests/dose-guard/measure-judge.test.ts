import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenAiStandIn, startOpenAiStandIn } from '../peers/openai-stand-in.ts';
import { share } from './measure.ts';
import { askEndpoint, measuredSetting, measureJudge, type Sampled, samplePairs } from './measure-judge.ts';
import { pairsOf, readSentences } from './read-sentences.ts';

let model: OpenAiStandIn;
beforeAll(async () => {
  model = await startOpenAiStandIn();
});
afterAll(() => model.close());

const SIZE = 60;
const sample = samplePairs(pairsOf(readSentences()), SIZE);

/** Has the stand-in find all errors but those of each tenth pair, and object to each twentieth right translation. */
const knowing = () =>
  model.behave({
    kind: 'verdicts',
    say({ source, target }) {
      const differs = `differs | meaning | ${source.split(' ')[0]} | ${target.split(' ')[0]}`;
      const ofSource = (pair: Sampled) => pair.source.text === source;
      const wrong = sample.findIndex((pair) => ofSource(pair) && pair.wrong?.text === target);
      const right = sample.findIndex((pair) => ofSource(pair) && pair.right.text === target);
      if (wrong >= 0) return wrong % 10 === 9 ? 'same' : differs;
      return right >= 0 ? (right % 20 === 19 ? differs : 'same') : undefined;
    },
  });

test('a model is measured alone and with the guard, in calls of one direction, and its figures are a setting', async () => {
  const stop = knowing();
  const measured = await measureJudge(sample, askEndpoint(model.url, 'careful', 'a-key'));
  stop();
  expect(measured.judge).toEqual({
    caught: { right: SIZE * 0.9, all: SIZE },
    falseAlarms: { right: SIZE / 20, all: SIZE },
  });
  expect(measured.unread).toEqual({ right: 0, all: 2 * SIZE });
  expect(measured.both.caught.right).toBeGreaterThanOrEqual(measured.judge.caught.right);
  // Of articles of right sentences, fewer pass two readers than one.
  expect(share(measured.articles.both)).toBeLessThan(share(measured.articles.guard));
  expect(measured.characters.calls).toBeGreaterThan(measured.characters.texts);
  expect(measuredSetting('careful', '2026-11-28', [measured])).toBe('careful 2026-11-28 90.0 5.0');
  expect(
    model.calls.every(
      ({ authorization, temperature }) => authorization === 'Bearer a-key' && temperature === 0,
    ),
  ).toBe(true);
});

test('a model that cannot be believed has no figures: it is as if there were none', async () => {
  const stop = model.behave({ kind: 'verdicts', as: 'lie' });
  const measured = await measureJudge(sample, askEndpoint(model.url, 'careless', undefined));
  stop();
  expect(measured.unread).toEqual({ right: 2 * SIZE, all: 2 * SIZE });
  expect(measured.judge.caught.right).toBe(0);
  expect(measured.both).toEqual(measured.guard);
});
