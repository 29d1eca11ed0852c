import type { Difference, FindingKind } from '../findings.ts';
import { type Fact, type Quantity, quantityOf } from '../reading/facts.ts';
import { areRounded, haveSameComparators, isSame, isSameAmount, isSameFact, mustMatch } from './equality.ts';
import type { Match, Matched } from './match-facts.ts';

/** Whether a side has a word that lets a number hold for several things: each, jeweils. The other side may repeat it. */
interface Shared {
  source: boolean;
  target: boolean;
}

/** Returns what of a comparison a reader has to know: each fact without counterpart, beside the one that seems meant. */
export function reportDifferences(
  { sources, targets, matches }: Matched,
  isShared: Shared,
): Difference<Fact>[] {
  const differences: Difference<Fact>[] = matches
    .filter(isRounding)
    .map((match) => ({ kind: 'comparator', ...match, isSoft: true }));
  const free = new FreeFacts(targets);
  const [sourcesMatched, targetsMatched] = [
    matches.map(({ source }) => source),
    matches.map(({ target }) => target),
  ];
  const named = new Set([...sourcesMatched, ...targetsMatched]);
  // An article stands for a number only where nothing better does.
  const ordered = [...sources.filter(mustMatch), ...sources.filter((fact) => !mustMatch(fact))];
  for (const source of ordered) {
    if (isRepeatedName(source, named)) continue;
    if (isShared.target && isRepeated(source, sourcesMatched)) continue;
    const target = free.takeClosest(source);
    if (target) {
      differences.push({ kind: kindOf(source, target), source, target });
    } else if (mustMatch(source))
      differences.push({ kind: kindOf(source, null), source, target: null, ...softly(source) });
  }
  for (const target of free.left()) {
    if (!mustMatch(target) || isRepeatedName(target, named)) continue;
    if (isShared.source && isRepeated(target, targetsMatched)) continue;
    differences.push({ kind: kindOf(target, null), source: null, target, ...softly(target) });
  }
  return differences;
}

/** Numbers that stand side by side are doubled, and not said of several things. */
const LEAST_GAP = 3;

/** Returns whether a fact was said elsewhere in its text as well. */
function isRepeated(fact: Fact, others: readonly Fact[]): boolean {
  const same = others.filter((other) => isSameFact(fact, other));
  const isDoubled = others.some(
    (other) => Math.max(fact.start - other.end, other.start - fact.end) < LEAST_GAP,
  );
  return same.length > 0 && !isDoubled;
}

/** A small number in words may be in another word: "four drugs" is "quadrithérapie", "the two of them" is "sie". */
const softly = (fact: Fact): { isSoft?: true } =>
  fact.type === 'quantity' && fact.spelled && !fact.unit && fact.comparators.includes('none')
    ? { isSoft: true }
    : {};

/** "about 300" and "300" are the same but for a word, and so are "twice" and "at least twice a week". */
function isRounding({ source, target }: Match): boolean {
  if ('limit' in source || 'limit' in target) return limitOf(source) !== limitOf(target);
  const [one, other] = [quantityOf(source), quantityOf(target)];
  return one !== undefined && other !== undefined && areRounded(one, other);
}

const limitOf = (fact: Fact) => ('limit' in fact ? fact.limit : undefined);

/** A name such as COVID-19 may be said once in one language and twice in the other. */
function isRepeatedName(fact: Fact, matched: ReadonlySet<Fact>): boolean {
  if (fact.type !== 'name') return false;
  for (const other of matched) {
    if (other.type === 'name' && other.digits === fact.digits) return true;
    if (other.type === 'quantity' && other.unit === null && String(other.value) === fact.digits) return true;
  }
  return false;
}

/** The facts of one side that are not taken yet. Those that say the same are looked at once: to compare each with each took long. */
class FreeFacts {
  readonly #alike: Map<string, { fact: Fact; place: number }[]>;

  constructor(facts: readonly Fact[]) {
    // The first one is taken from the end, which costs nothing.
    const places = facts.map((fact, place) => ({ fact, place })).reverse();
    this.#alike = Map.groupBy(places, ({ fact }) => JSON.stringify({ ...fact, start: 0, end: 0 }));
  }

  /** Takes the fact that seems to be meant by one of the other side: the most alike, and of those the first. */
  takeClosest(source: Fact): Fact | undefined {
    let best: { key: string; place: number } | undefined;
    let highest = 0;
    for (const [key, alike] of this.#alike) {
      const { fact, place } = alike.at(-1) ?? {};
      if (!fact || place === undefined) continue;
      const likeness = likenessOf(source, fact);
      if (likeness < highest || likeness === 0) continue;
      if (!best || likeness > highest || place < best.place) best = { key, place };
      highest = likeness;
    }
    const taken = best && this.#alike.get(best.key);
    const fact = taken?.pop()?.fact;
    if (best && taken?.length === 0) this.#alike.delete(best.key);
    return fact;
  }

  /** Returns those that nothing has taken, in their order. */
  left(): Fact[] {
    const all = [...this.#alike.values()].flat();
    return all.sort((one, other) => one.place - other.place).map(({ fact }) => fact);
  }
}

function likenessOf(one: Fact, other: Fact): number {
  const strong = mustMatch(one) || mustMatch(other);
  if (one.type === 'quantity' && other.type === 'quantity') return quantityLikeness(one, other, strong);
  if (!strong) return one.type === 'frequency' && other.type === 'frequency' ? 3 : 0;
  if (one.type === other.type) return 6;
  const types = new Set([one.type, other.type]);
  if (types.has('range') && types.has('quantity')) return 4;
  if (types.has('pair') && types.has('quantity')) return 3;
  if (types.has('frequency') && types.has('times')) return 5;
  return 1;
}

function quantityLikeness(one: Quantity, other: Quantity, strong: boolean): number {
  if (!strong) {
    // An article is no number, but "the second" is not "the third".
    if (one.strength === 'ordinal')
      return other.strength === 'ordinal' && one.value > 1 && other.value > 1 ? 3 : 0;
    const dimensions = [one.unit?.dimension, other.unit?.dimension];
    return dimensions[0] === 's' && dimensions[1] === 's' && other.strength !== 'ordinal' ? 3 : 0;
  }
  if (isSameAmount(one, other)) return 9;
  if (isSame(Math.abs(one.value), Math.abs(other.value))) return 8;
  const sameUnit = (one.unit?.dimension ?? '') === (other.unit?.dimension ?? '');
  return sameUnit ? 7 : 2;
}

const TYPE_KINDS = {
  range: 'range',
  pair: 'ratio',
  frequency: 'frequency',
  times: 'frequency',
  date: 'date',
  clock: 'date',
  name: 'number',
} as const;

function kindOf(one: Fact, other: Fact | null): FindingKind {
  if (one.type === 'quantity' && other?.type === 'quantity') return quantityKind(one, other);
  if (one.type !== 'quantity') return TYPE_KINDS[one.type];
  if (other && other.type !== 'quantity') return TYPE_KINDS[other.type];
  return one.unit?.dimension === '%' ? 'percentage' : 'number';
}

function quantityKind(one: Quantity, other: Quantity): FindingKind {
  if (isSameAmount(one, other)) return haveSameComparators(one, other) ? 'number' : 'comparator';
  const sameUnit =
    (one.unit?.dimension ?? '') === (other.unit?.dimension ?? '') &&
    isSame(one.unit?.factor ?? 1, other.unit?.factor ?? 1);
  if (sameUnit && isSame(one.value, -other.value)) return 'sign';
  const isPercent = one.unit?.dimension === '%' || other.unit?.dimension === '%';
  if (isPercent) return 'percentage';
  return !sameUnit && isSame(one.value, other.value) ? 'unit' : 'number';
}
