import type { Language, Segment } from '../findings.ts';
import { type PlainText, readPlainText } from '../markup/plain-text.ts';
import { type Fact, indexFrom } from './facts.ts';
import { applyLimits } from './limits.ts';
import { readFacts } from './read-facts.ts';
import { splitSentences } from './sentences.ts';
import { readTokens, type Token } from './tokens.ts';

/** A segment as it was read. */
export interface Reading {
  markdown: string;
  plain: PlainText;
  language: Language;
  /** The language of its number words: that of the source in a text that is not translated. */
  spoken: Language;
  tokens: readonly Token[];
  sentences: readonly (readonly Token[])[];
  facts: readonly Fact[];
}

/** Reads a segment, whose numbers may be in the words of another language than its own. */
export function readSegment({ text, language }: Segment, spoken: Language = language): Reading {
  const plain = readPlainText(text);
  const tokens = readTokens(plain.text);
  const facts = applyLimits(readFacts(tokens, spoken), tokens, spoken);
  return { markdown: text, plain, language, spoken, tokens, facts, sentences: splitSentences(tokens) };
}

/** Returns the facts of one sentence. */
export function factsIn({ facts }: Reading, sentence: readonly Token[]): Fact[] {
  const [start, end] = [sentence[0]?.start ?? 0, sentence.at(-1)?.end ?? 0];
  return facts.slice(indexFrom(facts, start), indexFrom(facts, end)).filter((fact) => fact.end <= end);
}
