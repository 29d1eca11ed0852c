import { compareChanges } from './checks/changes.ts';
import { compareExtent } from './checks/extent.ts';
import { compareLanguages } from './checks/language.ts';
import { compareMarks } from './checks/marks.ts';
import { compareMedicines } from './checks/medicines.ts';
import { compareNegations, readNegations } from './checks/negations.ts';
import { compareOpposites } from './checks/opposites.ts';
import { compareTerms } from './checks/terms.ts';
import {
  type CompareOptions,
  type Difference,
  type Excerpt,
  type Finding,
  SEVERITIES,
  type Segment,
  type Span,
} from './findings.ts';
import { toMarkdownSpan } from './markup/plain-text.ts';
import { weighEvidence } from './matching/evidence.ts';
import { matchFacts } from './matching/match-facts.ts';
import { findExchanged } from './matching/order.ts';
import { reportDifferences } from './matching/report.ts';
import type { Fact } from './reading/facts.ts';
import { factsIn, type Reading, readSegment } from './reading/read-segment.ts';
import type { Token } from './reading/tokens.ts';
import { DISTRIBUTIVES } from './words/grammar-words.ts';
import { readMentions } from './words/opposites.ts';

/** The most characters of a text that is compared: this many, full of numbers or brackets, take some 60 ms, in which a server does nothing else. */
const MAX_COMPARED_LENGTH = 6_000;

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
  const extent = compareExtent(one, other);
  const isEmpty = one.tokens.length === 0 || other.tokens.length === 0;
  const prose = isEmpty
    ? extent
    : [
        ...compareNumbers(one, other),
        ...compareSentences(one, other),
        ...compareMedicines(one, other),
        ...compareLanguages(one, other, recogniseOther),
        ...extent,
        ...compareTerms(one.plain.text, other.plain.text, terms),
      ];
  const marks = isEmpty ? [] : compareMarks(one.plain, other.plain);
  const inMarkdown = ({ plain }: Reading, span: Span | null) => span && toMarkdownSpan(plain, span);
  return [
    ...prose.map((found) => ({
      ...found,
      source: inMarkdown(one, found.source),
      target: inMarkdown(other, found.target),
    })),
    ...marks,
  ].map((found) => toFinding(found, one, other));
}

/**
 * Tells whether a target has the words of its source as they are: it is not translated, and its number words are the source's.
 * Decimal signs are another matter, as they say something else in another language.
 */
function isCopied(source: Segment, target: Segment): boolean {
  return target.text.includes(source.text.trim()) && !/\d[.,]\d/.test(source.text);
}

function compareNumbers(source: Reading, target: Reading): Difference[] {
  const matched = matchFacts(source.facts, target.facts);
  const shared = { source: sharesNumbers(source), target: sharesNumbers(target) };
  const differences = weighEvidence(reportDifferences(matched, shared), source, target);
  // What may be the same but for a word can be exchanged as well.
  const close = differences.flatMap(({ source: one, target: other, isSoft }) =>
    isSoft && one && other ? [{ source: one, target: other }] : [],
  );
  const alike = [...matched.matches, ...close];
  const exchanged = findExchanged(alike, source, target).flatMap(([one, other]): Difference[] => [
    { kind: 'number', source: one.source, target: other.target },
    { kind: 'number', source: other.source, target: one.target },
  ]);
  const isMixed = mixesDecimals(target);
  const misread = alike
    .filter((match) => isMisread(match.target, target, isMixed))
    .map((match): Difference => ({ kind: 'decimal', ...match }));
  return [...differences, ...exchanged, ...compareChanges(alike, source, target), ...misread];
}

const sharesNumbers = ({ tokens, facts, spoken }: Reading): boolean =>
  tokens.some(
    ({ lower, start, end }) =>
      DISTRIBUTIVES[spoken].has(lower) && !facts.some((fact) => start >= fact.start && end <= fact.end),
  );

/** A number with another language's decimal sign has the right value, and may still be read as another one. */
function isMisread(fact: Fact, { plain, language }: Reading, isMixed: boolean): boolean {
  const written = plain.text.slice(fact.start, fact.end);
  if (isMixed && language !== 'en' && /\d\.\d/.test(written))
    return !/\d\.\d{3}(?!\d)/.test(written) || /\b0\.\d/.test(written);
  if (fact.type === 'range') return fact.ends.some((end) => end.misread === true);
  return 'misread' in fact && fact.misread === true;
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
  const negationsIn = (reading: Reading, sentence: readonly Token[]) =>
    readNegations(sentence, factsIn(reading, sentence), reading.spoken);
  return [
    ...pairs.flatMap(([one, other]) =>
      compareNegations(negationsIn(source, one), negationsIn(target, other)),
    ),
    ...pairs.flatMap(([one, other]) => compareOpposites(mentionsIn(source, one), mentionsIn(target, other))),
  ];
}

/** Returns the members of closed groups in a sentence, but those that say which half of the day a time is in. */
function mentionsIn(reading: Reading, sentence: readonly Token[]) {
  const clocks = factsIn(reading, sentence).filter(({ type }) => type === 'clock');
  return readMentions(sentence, reading.spoken).filter(
    (one) => !clocks.some(({ start, end }) => one.start > start && one.end <= end),
  );
}

function toFinding({ kind, source, target, isSoft }: Difference, one: Reading, other: Reading): Finding {
  return {
    kind,
    severity: isSoft ? 'warning' : SEVERITIES[kind],
    source: toExcerpt(one.markdown, source),
    target: toExcerpt(other.markdown, target),
  };
}

function toExcerpt(markdown: string, span: Span | null): Excerpt | null {
  return span && { text: markdown.slice(span.start, span.end), start: span.start, end: span.end };
}
