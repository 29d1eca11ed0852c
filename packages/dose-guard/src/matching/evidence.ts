import type { Difference } from '../findings.ts';
import { type Fact, indexFrom, type Quantity, quantityOf } from '../reading/facts.ts';
import type { Reading } from '../reading/read-segment.ts';
import type { Token } from '../reading/tokens.ts';
import {
  DURING,
  GOVERNING,
  isClearlyComparing,
  isComparing,
  PERIOD_HINTS,
} from '../words/comparator-hints.ts';
import { areOpposite, isSame, sameCounts } from './equality.ts';

/**
 * Lets differences only warn where one side could not be read rather than contradicts the other: a block needs two values that
 * differ, or a value that nothing stands for. What one side alone seems to say may be in words of the other that no table has.
 */
export function weighEvidence(
  differences: readonly Difference<Fact>[],
  source: Reading,
  target: Reading,
): Difference<Fact>[] {
  return differences.map((difference) =>
    isUnread(difference, source, target) ? { ...difference, isSoft: true } : difference,
  );
}

function isUnread(difference: Difference<Fact>, source: Reading, target: Reading): boolean {
  const { source: one, target: other } = difference;
  if (one && other) return isUnreadPair(difference, [one, source], [other, target]);
  const [alone, silent] = one ? [one, target] : [other, source];
  if (!alone) return false;
  // "T4/T1" is "TOF", but "5-FU" is not "FU".
  if (alone.type === 'name')
    return (
      alone.stem !== '' &&
      !silent.facts.some(({ type }) => type === 'name') &&
      !silent.tokens.some(({ lower }) => lower === alone.stem)
    );
  return alone.type === 'frequency' && !alone.counted && hintsAtPeriod(silent, alone.seconds);
}

function isUnreadPair(
  { kind }: Difference<Fact>,
  [one, source]: [Fact, Reading],
  [other, target]: [Fact, Reading],
): boolean {
  if (kind === 'comparator' || (one.type === other.type && haveOneLimit(one, other))) {
    const [bare, full] = isBare(one) ? [source, target] : [target, source];
    const [plain, limited] = isBare(one) ? [one, other] : [other, one];
    if (!isBare(plain) || isBare(limited) || areOpposed(plain, limited)) return false;
    return (
      comparesFreely(bare, plain) ||
      !isClear(full.tokens, limited) ||
      (isDuring(full.tokens, limited) && isDuring(bare.tokens, plain))
    );
  }
  if (isEachOfThem([one, source], [other, target]) || isEachOfThem([other, target], [one, source]))
    return true;
  const [first, last] = [quantityOf(one), quantityOf(other)];
  if ((kind !== 'unit' && kind !== 'percentage') || !first || !last) return false;
  if (!isSame(first.value, last.value) || (first.unit === null) === (last.unit === null)) return false;
  const sides = [
    [one, source],
    [other, target],
  ] as const;
  const [bare, full] = first.unit === null ? sides : [sides[1], sides[0]];
  return hasUnitBeside(bare, full);
}

const EACH = /^(?:each|every|per|cada|por|chaque|par|je|jede[nrs]?|pro)$/;

/** "Cada diez años más" is "each additional ten years": an interval, and a time that something is said of each of. */
function isEachOfThem([interval]: readonly [Fact, Reading], [time, side]: readonly [Fact, Reading]): boolean {
  if (interval.type !== 'frequency' || interval.counted || time.type !== 'quantity' || !time.unit)
    return false;
  return (
    isSame(time.value * time.unit.factor, interval.seconds[0]) &&
    side.tokens.some(({ lower, end }) => EACH.test(lower) && end <= time.start && end > time.start - 20)
  );
}

/** Returns whether what compares a number does nothing else: "hasta 14 cm" may be where something ends. */
function isClear(tokens: readonly Token[], fact: Fact): boolean {
  const from = Math.max(0, indexFrom(tokens, fact.start) - REACH_BEFORE);
  const to = Math.min(tokens.length - 1, lastTo(tokens, fact.end) + REACH_BEHIND);
  for (let at = from; at <= to; at += 1) if (isClearlyComparing(tokens, at)) return true;
  return false;
}

/** Returns the index of the last token that ends at a place or before it. */
function lastTo(tokens: readonly Token[], place: number): number {
  const at = indexFrom(tokens, place) - 1;
  return (tokens[at]?.end ?? 0) > place ? at - 1 : at;
}

/** Returns whether two quantities have limits on different sides. */
function areOpposed(one: Fact, other: Fact): boolean {
  const [first, last] = [quantityOf(one), quantityOf(other)];
  return first !== undefined && last !== undefined && areOpposite(first, last);
}

/** Returns whether a fact may be meant without any comparator. */
function isBare(fact: Fact): boolean {
  if (fact.type === 'times' || fact.type === 'frequency') return fact.limit === undefined;
  return quantityOf(fact)?.comparators.includes('none') ?? true;
}

/** Returns whether two counts are the same but for a limit that one of them has. */
function haveOneLimit(one: Fact, other: Fact): boolean {
  if (one.type === 'times' && other.type === 'times') return sameCounts(one.counts, other.counts);
  return (
    one.type === 'frequency' &&
    other.type === 'frequency' &&
    sameCounts(one.counts, other.counts) &&
    sameCounts(one.seconds, other.seconds)
  );
}

/** So many words from a number may compare it. */
const REACH_BEFORE = 6;
const REACH_BEHIND = 3;
/** So many words from a number, one may compare it in a way that is not known. */
const REACH_OF_HINTS = 5;

/** What compares on one side: the indices of tokens that a number has taken, and whether a verb may hold for all numbers. */
interface Comparing {
  taken: ReadonlySet<number>;
  governs: boolean;
}

/** The sides that were read: each difference asks for its side again. */
const READ = new WeakMap<Reading, Comparing>();

function readComparing(side: Reading): Comparing {
  const known = READ.get(side);
  if (known) return known;
  const { tokens, facts } = side;
  const taken = new Set<number>();
  const take = (from: number, to: number) => {
    for (let at = indexFrom(tokens, from); (tokens[at]?.end ?? Number.POSITIVE_INFINITY) <= to; at += 1)
      taken.add(at);
  };
  for (const [index, fact] of facts.entries()) {
    if (fact.type !== 'quantity') take(fact.start, fact.end);
    if (!isLimited(fact)) continue;
    const first = indexFrom(tokens, fact.start);
    const last = lastTo(tokens, fact.end);
    const from = Math.max(tokens[Math.max(0, first - REACH_BEFORE)]?.start ?? 0, facts[index - 1]?.end ?? 0);
    const to = tokens[Math.min(tokens.length - 1, last + REACH_BEHIND)]?.end ?? fact.end;
    take(from, Math.max(fact.end, Math.min(to, facts[index + 1]?.start ?? to)));
  }
  const read = { taken, governs: tokens.some((_, at) => governsAll(tokens, facts, at)) };
  READ.set(side, read);
  return read;
}

/** Returns whether a word near a number compares, and no other number takes it for its comparator. */
function comparesFreely(side: Reading, number: Fact): boolean {
  const { tokens } = side;
  const { taken, governs } = readComparing(side);
  const at = indexFrom(tokens, number.start);
  const behind = lastTo(tokens, number.end);
  const near = [
    ...within(tokens, at - 1, Math.max(-1, at - 1 - REACH_OF_HINTS), -1),
    ...within(tokens, at, Math.min(tokens.length, behind + 1 + REACH_OF_HINTS), 1),
  ];
  return governs || near.some((index) => !taken.has(index) && isComparing(tokens, index));
}

/** Returns whether a verb of comparison has no number of its own behind it, and so may hold for all before it. */
function governsAll(tokens: readonly Token[], facts: readonly Fact[], at: number): boolean {
  if (!GOVERNING.test(tokens[at]?.lower ?? '')) return false;
  const [start, end] = [tokens[at]?.end ?? 0, tokens[Math.min(at + 4, tokens.length - 1)]?.end ?? 0];
  return !facts.some((fact) => fact.start >= start && fact.start < end);
}

/** Returns the indices from one to another, up to where a sentence or a part of it ends. */
function within(tokens: readonly Token[], from: number, to: number, step: 1 | -1): number[] {
  const found: number[] = [];
  for (let index = from; index !== to && !/^[.;:!?]$/.test(tokens[index]?.text ?? ''); index += step)
    found.push(index);
  return found;
}

/** Returns whether a fact has a comparator, be it one that may say nothing. */
function isLimited(fact: Fact): boolean {
  if (fact.type === 'times' || fact.type === 'frequency') return fact.limit !== undefined;
  return quantityOf(fact)?.comparators.some((one) => one !== 'none' && one !== 'about') ?? false;
}

/** "SpO₂ 97 % unter 2 l Sauerstoff" is "on 2 l of oxygen". */
const isDuring = (tokens: readonly Token[], { start }: Fact): boolean =>
  DURING.has(tokens[lastTo(tokens, start)]?.lower ?? '');

/** "9.5 (4.8–13) days" is "9,5 días (4,8–13)": the unit stands at a neighbour, which has none on the other side. */
function hasUnitBeside(
  [bare, one]: readonly [Fact, Reading],
  [full, other]: readonly [Fact, Reading],
): boolean {
  const unit = quantityOf(full)?.unit;
  return [1, -1].some((step) => {
    const beside = neighbour(one, bare, step);
    const value = neighbour(other, full, step)?.value;
    return (
      beside?.unit != null &&
      beside.unit.dimension === unit?.dimension &&
      isSame(beside.unit.factor, unit.factor) &&
      value !== undefined &&
      isSame(beside.value, value)
    );
  });
}

const neighbour = ({ facts }: Reading, fact: Fact, step: number): Quantity | undefined => {
  const beside = facts[facts.indexOf(fact) + step];
  return beside && quantityOf(beside);
};

/** Returns whether words of a side name a period. */
function hintsAtPeriod({ tokens }: Reading, [seconds]: readonly [number, number]): boolean {
  const hints = PERIOD_HINTS.find(([period]) => isSame(period, seconds))?.[1];
  return hints !== undefined && tokens.some(({ lower }) => hints.test(lower));
}
