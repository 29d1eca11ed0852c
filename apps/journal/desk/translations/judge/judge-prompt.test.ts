import { expect, it } from 'vitest';
import { askAbout, judgePrompt, judgeSystemPrompt, planQuestions, tokensFor } from './judge-prompt.ts';

/** What small local models take, and how few characters a token of them has. */
const CONTEXT_TOKENS = 4_096;
const CHARACTERS_PER_TOKEN = 3;

const direction = { from: 'en', to: 'de' } as const;
const pairOf = (source: string, target: string) => ({ source, target, doubts: [] });

it.each([
  ['cells of a table', 600, 1],
  ['sentences', 90, 15],
  ['paragraphs', 12, 120],
])('the calls about %s fit into a small model, all of them in their order', (_, count, repeated) => {
  const pairs = Array.from({ length: count }, (__, at) =>
    pairOf(`Cell ${at} `.repeat(repeated), `Zelle ${at} `.repeat(repeated)),
  );
  const groups = planQuestions(pairs);
  expect(groups.flat()).toEqual(pairs);
  for (const group of groups) {
    const question = askAbout(group, direction);
    const characters = judgePrompt(question).length + judgeSystemPrompt(question).length;
    expect(characters / CHARACTERS_PER_TOKEN + tokensFor(question)).toBeLessThan(CONTEXT_TOKENS);
  }
  // They are no more calls than that takes.
  expect(groups.length).toBeLessThan(count / 2);
});
