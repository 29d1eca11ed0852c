import { compareChanges } from './checks/changes.ts';
import { compareExtent } from './checks/extent.ts';
import { compareLanguages } from './checks/language.ts';
import { compareMarks } from './checks/marks.ts';
import { compareNegations, readNegations } from './checks/negations.ts';
import { compareOpposites } from './checks/opposites.ts';
import { comparePercents } from './checks/percents.ts';
import { compareTerms } from './checks/terms.ts';
import {
  type CompareOptions,
  type Excerpt,
  type Finding,
  type FindingKind,
  type Language,
  SEVERITIES,
  type Segment,
} from './findings.ts';
import { type PlainText, readPlainText, toMarkdownSpan } from './markup/plain-text.ts';
import { weighEvidence } from './matching/evidence.ts';
import { type Match, matchFacts } from './matching/match-facts.ts';
import { findExchanged } from './matching/order.ts';
import { reportDifferences } from './matching/report.ts';
import { type Fact, indexFrom, type Span } from './reading/facts.ts';
import { applyLimits } from './reading/limits.ts';
import { readFacts } from './reading/read-facts.ts';
import { splitSentences } from './reading/sentences.ts';
import { readTokens, type Token } from './reading/tokens.ts';
import { DISTRIBUTIVES } from './words/grammar-words.ts';
import { readMentions } from './words/opposites.ts';

/** A segment as it was read. */
interface Reading {
  markdown: string;
  plain: PlainText;
  language: Language;
  /** The language of its number words: that of the source in a text that is not translated. */
  spoken: Language;
  tokens: readonly Token[];
  sentences: readonly (readonly Token[])[];
  facts: readonly Fact[];
}

/** A difference by its places in the prose of both sides. */
interface Difference {
  kind: FindingKind;
  source: Span | null;
  target: Span | null;
  isSoft?: true;
}

/** The most characters of a text that is compared: this many, full of numbers, take some 60 ms, in which a server does nothing else. */
const MAX_COMPARED_LENGTH = 10_000;

/**
 * Returns what a translation says otherwise than its source: nothing lost, nothing added. `SEVERITIES` says
 * which findings block; what may be put otherwise only warns. The texts are Markdown fragments of one block, or plain. Of longer ones, their length is the only finding.
 */
export function compareSegments(
  source: Segment,
  target: Segment,
  { terms = [], recogniseOther }: CompareOptions = {},
): Finding[] {
  if (Math.max(source.text.length, target.text.length) > MAX_COMPARED_LENGTH)
    return [{ kind: 'length', severity: 'doubt', source: null, target: null }];
  const one = readSegment(source);
  const other = readSegment(target, isCopied(source, target) ? source.language : target.language);
  if (one.tokens.length === 0 || other.tokens.length === 0) {
    return compareExtent(extentOf(one), extentOf(other)).map((found) => toFinding(found, one, other));
  }
  const prose: Difference[] = [
    ...compareNumbers(one, other),
    ...compareSentences(one, other),
    ...compareLanguages(proseOf(one), proseOf(other), recogniseOther),
    ...compareExtent(extentOf(one), extentOf(other)),
    ...compareTerms(one.plain.text, other.plain.text, terms),
  ];
  return [
    ...prose.map((found) => toFinding(found, one, other)),
    ...compareMarks(one.plain, other.plain).map(({ kind, ...spans }) => ({
      kind,
      severity: SEVERITIES[kind],
      source: toExcerpt(one.markdown, spans.source),
      target: toExcerpt(other.markdown, spans.target),
    })),
  ];
}

/**
 * Tells whether a target has the words of its source as they are: it is not translated, and its number words are the source's.
 * Decimal signs are another matter, as they say something else in another language.
 */
function isCopied(source: Segment, target: Segment): boolean {
  return target.text.includes(source.text.trim()) && !/\d[.,]\d/.test(source.text);
}

/** Reads a segment, whose numbers may be in the words of another language than its own. */
function readSegment({ text, language }: Segment, spoken: Language = language): Reading {
  const plain = readPlainText(text);
  const tokens = readTokens(plain.text);
  const facts = applyLimits(readFacts(tokens, spoken), tokens, spoken);
  return { markdown: text, plain, language, spoken, tokens, facts, sentences: splitSentences(tokens) };
}

const proseOf = ({ plain: { text }, language }: Reading) => ({ text, language });

const extentOf = ({ plain, facts, sentences, language }: Reading) => ({
  text: plain.text,
  facts,
  sentences,
  language,
});

function compareNumbers(source: Reading, target: Reading): Difference[] {
  const matched = matchFacts(source.facts, target.facts);
  const shared = { source: sharesNumbers(source), target: sharesNumbers(target) };
  const differences = weighEvidence(reportDifferences(matched, shared), source, target);
  // What may be the same but for a word can be exchanged as well.
  const close = differences.flatMap(({ source: one, target: other, isSoft }) =>
    isSoft && one && other ? [{ source: one, target: other }] : [],
  );
  const exchanged = findExchanged([...matched.matches, ...close], source, target).flatMap(([one, other]) => [
    { kind: 'number' as const, source: one.source, target: other.target },
    { kind: 'number' as const, source: other.source, target: one.target },
  ]);
  const changed = compareChanges([...matched.matches, ...close], source, target).map((found) => ({
    kind: 'comparator' as const,
    ...found,
  }));
  const percents = comparePercents(source, target, matched.matches);
  const isMixed = mixesDecimals(target);
  const misread = [...matched.matches, ...close]
    .filter(({ target: fact }) => isMisread(fact, target, isMixed))
    .map(asDecimal);
  return [...differences, ...exchanged, ...changed, ...percents, ...misread];
}

const sharesNumbers = ({ tokens, facts, spoken }: Reading): boolean =>
  tokens.some(
    ({ lower, start, end }) =>
      DISTRIBUTIVES[spoken].has(lower) && !facts.some((fact) => start >= fact.start && end <= fact.end),
  );

const asDecimal = (match: Match) => ({ kind: 'decimal' as const, ...match });

/** A number with another language's decimal sign has the right value, and may still be read as another one. */
function isMisread(fact: Fact, { plain, language }: Reading, isMixed: boolean): boolean {
  if (isMixed && language !== 'en' && /\d\.\d/.test(plain.text.slice(fact.start, fact.end))) {
    return (
      !/\d\.\d{3}(?!\d)/.test(plain.text.slice(fact.start, fact.end)) ||
      /\b0\.\d/.test(plain.text.slice(fact.start, fact.end))
    );
  }
  if (fact.type === 'range') return fact.ends.some((end) => end.misread === true);
  return (
    (fact.type === 'quantity' || fact.type === 'times' || fact.type === 'frequency') && fact.misread === true
  );
}

/** Spanish has both decimal signs, and p values a point in every language, but one text has only one of them. */
function mixesDecimals({ plain: { text }, language }: Reading): boolean {
  return language !== 'en' && /\d,\d/.test(text) && /\d\.\d/.test(text);
}

/** Compares what whole sentences decide: negations and opposites. Where their numbers differ, the text is one sentence. */
function compareSentences(source: Reading, target: Reading): Difference[] {
  const isPaired = source.sentences.length === target.sentences.length;
  const pairs = isPaired
    ? source.sentences.map((sentence, index) => [sentence, target.sentences[index] ?? []] as const)
    : [[source.tokens, target.tokens] as const];
  const negations = pairs.flatMap(([one, other]) => {
    const found = compareNegations(
      readNegations(one, factsIn(source, one), source.spoken),
      readNegations(other, factsIn(target, other), target.spoken),
    );
    return found ? [{ kind: 'negation' as const, ...found }] : [];
  });
  const [clocks, otherClocks] = [clocksOf(source), clocksOf(target)];
  const opposites = pairs.flatMap(([one, other]) =>
    compareOpposites(mentionsIn(one, source.spoken, clocks), mentionsIn(other, target.spoken, otherClocks)),
  );
  return [...negations, ...opposites];
}

const clocksOf = ({ facts }: Reading): Fact[] => facts.filter(({ type }) => type === 'clock');

/** Returns the members of closed groups in a sentence, but those that say which half of the day a time is in. */
const mentionsIn = (sentence: readonly Token[], spoken: Language, clocks: readonly Fact[]) =>
  readMentions(sentence, spoken).filter(
    (one) => !clocks.some(({ start, end }) => one.start >= start && one.end <= end),
  );

function factsIn({ facts }: Reading, sentence: readonly Token[]): Fact[] {
  const [start, end] = [sentence[0]?.start ?? 0, sentence.at(-1)?.end ?? 0];
  return facts.slice(indexFrom(facts, start), indexFrom(facts, end)).filter((fact) => fact.end <= end);
}

function toFinding({ kind, source, target, isSoft }: Difference, one: Reading, other: Reading): Finding {
  return {
    kind,
    severity: isSoft ? 'warning' : SEVERITIES[kind],
    source: toExcerpt(one.markdown, source && toMarkdownSpan(one.plain, source)),
    target: toExcerpt(other.markdown, target && toMarkdownSpan(other.plain, target)),
  };
}

function toExcerpt(markdown: string, span: Span | null): Excerpt | null {
  return span && { text: markdown.slice(span.start, span.end), start: span.start, end: span.end };
}
