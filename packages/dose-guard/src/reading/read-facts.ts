import type { Language } from '../findings.ts';
import { readClock, readDate } from './calendar.ts';
import {
  type ComparatorsBefore,
  comparatorAfter,
  comparatorBefore,
  findComparators,
  optionsOf,
} from './comparators.ts';
import { type Fact, type Frequency, indexFrom, type Times } from './facts.ts';
import { readFrequency } from './frequencies.ts';
import { readName } from './names.ts';
import { readQuantity } from './quantities.ts';
import { shareUnits } from './shared-units.ts';
import type { Token } from './tokens.ts';

/** Returns what a text says in numbers, in the order in which it does. */
export function readFacts(tokens: readonly Token[], language: Language): Fact[] {
  const comparators = findComparators(tokens, language);
  const facts: Fact[] = [];
  let at = 0;
  let quantityAt = Number.NEGATIVE_INFINITY;
  while (at < tokens.length) {
    const found =
      readDate(tokens, at, language) ??
      readClock(tokens, at, language) ??
      readName(tokens, at, language) ??
      limited(readFrequency(tokens, at, language, at - quantityAt < 7), tokens, at, language, comparators) ??
      readQuantity(tokens, at, language, comparators);
    if (!found) {
      at += 1;
      continue;
    }
    facts.push(found.fact);
    at = Math.max(found.next, at + 1);
    if (found.fact.type !== 'name') quantityAt = at;
  }
  const wordsBetween = (from: number, to: number) =>
    tokens
      .slice(indexFrom(tokens, from), indexFrom(tokens, to))
      .filter(({ end }) => end <= to)
      .map(({ lower }) => lower);
  return joinFrequencies(shareUnits(facts, wordsBetween, language), tokens, language);
}

/** Adds what stands before a count: "at least twice a week". */
function limited(
  found: ReturnType<typeof readFrequency>,
  tokens: readonly Token[],
  at: number,
  language: Language,
  comparators: ComparatorsBefore,
): ReturnType<typeof readFrequency> {
  if (found?.fact.type === 'quantity') {
    // "über 60-Jährige"
    const { fact, next } = found;
    const word = comparatorBefore(tokens, at, language, comparators, {
      unit: null,
      next,
      strength: 'strong',
    });
    return word ? { fact: { ...fact, comparators: optionsOf(word) }, next } : found;
  }
  if (found?.fact.type !== 'times' && found?.fact.type !== 'frequency') return found;
  const before = comparatorBefore(tokens, at, language, comparators, {
    unit: null,
    next: found.next,
    strength: 'strong',
  });
  const isCounted = found.fact.type === 'times' || found.fact.counted;
  const behind = isCounted ? comparatorAfter(tokens, found.next, language) : undefined;
  const word = before ?? behind?.word;
  if (!word || word.weak || word.comparator === 'about') return found;
  const limit = word.comparator === 'ge' || word.comparator === 'gt' ? 'least' : 'most';
  return {
    ...found,
    // "once" may be left out, "at least once" may not.
    fact: { ...found.fact, limit, strength: 'strong' },
    next: before ? found.next : (behind?.next ?? found.next),
  };
}

/** Makes one frequency of a count and the period beside it: "twice" and "daily", "täglich" and "dreimal". */
function joinFrequencies(facts: readonly Fact[], tokens: readonly Token[], language: Language): Fact[] {
  const joined: Fact[] = [];
  for (const fact of facts) {
    const last = joined.at(-1);
    const both = last && joinable(last, fact, tokens);
    if (both) joined[joined.length - 1] = withLimitBehind(both, tokens, language);
    else joined.push(fact);
  }
  return joined;
}

/** Reads the limit behind a frequency: "trois fois par jour au maximum". */
function withLimitBehind(fact: Frequency, tokens: readonly Token[], language: Language): Frequency {
  const next = indexFrom(tokens, fact.end);
  const word = fact.limit ? undefined : comparatorAfter(tokens, next, language)?.word;
  if (!word || word.weak || word.comparator === 'about') return fact;
  return { ...fact, limit: word.comparator === 'ge' || word.comparator === 'gt' ? 'least' : 'most' };
}

/** At most so many words stand between a count and its period: "dreimal am selben Tag" is none. */
const FARTHEST = 1;

function joinable(one: Fact, other: Fact, tokens: readonly Token[]): Frequency | undefined {
  const times: Times | undefined = one.type === 'times' ? one : other.type === 'times' ? other : undefined;
  const period = one.type === 'frequency' ? one : other.type === 'frequency' ? other : undefined;
  if (!times || !period || period.counted) return undefined;
  const between = tokens
    .slice(indexFrom(tokens, one.end), indexFrom(tokens, other.start))
    .filter(({ end, text }) => end <= other.start && text !== '-');
  if (between.length > FARTHEST || between.some(({ kind }) => kind === 'symbol')) return undefined;
  const { seconds } = period;
  return {
    type: 'frequency',
    start: one.start,
    end: other.end,
    counts: times.counts,
    counted: true,
    seconds,
    strength: 'strong',
    ...(times.limit ? { limit: times.limit } : {}),
    ...(times.misread ? { misread: true } : {}),
  };
}
