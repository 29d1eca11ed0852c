import type { Fact } from '../reading/facts.ts';
import { haveSameComparators, isSame, isSameFact, isSameOfType, mustMatch, sameCounts } from './equality.ts';

/** A fact of the source and the one of the target that says the same. */
export interface Match {
  source: Fact;
  target: Fact;
}

export interface Matched {
  matches: Match[];
  /** The facts that have no counterpart on the other side. */
  sources: Fact[];
  targets: Fact[];
}

/** Beyond so many facts without a counterpart, they are compared in their order alone. */
const MAX_COMPARED = 300;

/** Finds for each fact of the source one of the target that says the same, each once. */
export function matchFacts(sources: readonly Fact[], targets: readonly Fact[]): Matched {
  const exact = matchByKey(sources, targets);
  const alike = matchBy(exact.sources, exact.targets, isSameOfType);
  const other = matchBy(alike.sources, alike.targets, isSameFact);
  const soft = { ...other, matches: [...alike.matches, ...other.matches] };
  const shared = matchSharedPeriods(soft);
  const swapped = matchSharedPeriods({ ...shared, sources: shared.targets, targets: shared.sources });
  const turned = swapped.matches.map(({ source, target }) => ({ source: target, target: source }));
  const parts = matchParts({ matches: [], sources: swapped.targets, targets: swapped.sources });
  return {
    ...parts,
    matches: [...exact.matches, ...soft.matches, ...shared.matches, ...turned, ...parts.matches],
  };
}

const without = (sources: readonly Fact[], targets: readonly Fact[], used: ReadonlySet<Fact>) => ({
  sources: sources.filter((fact) => !used.has(fact)),
  targets: targets.filter((fact) => !used.has(fact)),
});

/** Returns a key that equal facts of one type share, or undefined where a list has to be searched. */
function keyOf(fact: Fact): string | undefined {
  if (fact.type === 'quantity') {
    if (fact.others || fact.sharedUnit) return undefined;
    const amount = (fact.value * (fact.unit?.factor ?? 1)).toPrecision(7);
    return `q ${fact.unit?.dimension ?? ''} ${amount} ${fact.comparators.join()} ${fact.strength === 'weak'}`;
  }
  if (fact.type === 'name') return `n ${fact.digits} ${fact.stem}`;
  if (fact.type === 'frequency') return `f ${fact.counts} ${fact.seconds} ${fact.limit ?? ''}`;
  if (fact.type === 'date') return fact.readings.length === 1 ? `d ${fact.readings[0]}` : undefined;
  return undefined;
}

/** Matches facts with the same key in the order in which they stand. */
function matchByKey(sources: readonly Fact[], targets: readonly Fact[]): Matched {
  // The first one is taken from the end, which costs nothing.
  const waiting = Map.groupBy(targets.toReversed(), keyOf);
  const used = new Set<Fact>();
  const matches: Match[] = [];
  for (const source of sources) {
    const key = keyOf(source);
    const target = key === undefined ? undefined : waiting.get(key)?.pop();
    if (!target) continue;
    used.add(source).add(target);
    matches.push({ source, target });
  }
  return { matches, ...without(sources, targets, used) };
}

/** Matches what a comparison holds to be the same, strong facts first. */
function matchBy(
  sources: readonly Fact[],
  targets: readonly Fact[],
  same: (one: Fact, other: Fact) => boolean,
): Matched {
  const matches: Match[] = [];
  const used = new Set<Fact>();
  const isMany = sources.length > MAX_COMPARED || targets.length > MAX_COMPARED;
  const rounds: [boolean, boolean][] = [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ];
  for (const [strongSource, strongTarget] of rounds) {
    sources.forEach((source, index) => {
      if (used.has(source) || mustMatch(source) !== strongSource) return;
      const candidates = isMany ? targets.slice(Math.max(0, index - 5), index + 5) : targets;
      const target = candidates.find(
        (one) => !used.has(one) && mustMatch(one) === strongTarget && same(source, one),
      );
      if (!target) return;
      used.add(source).add(target);
      matches.push({ source, target });
    });
  }
  return { matches, ...without(sources, targets, used) };
}

/** Returns whether a fact counts what a frequency does, without its period: "four times", "cuatro". */
const isCountOf = (fact: Fact, frequency: Fact): boolean =>
  frequency.type === 'frequency' &&
  ((fact.type === 'times' && sameCounts(fact.counts, frequency.counts)) ||
    (fact.type === 'quantity' && !fact.unit && frequency.counts.every((count) => isSame(count, fact.value))));

/** Matches "six times a year, women four times" with "sechsmal, Frauen viermal im Jahr": the period is said once. */
function matchSharedPeriods({ sources, targets }: Matched): Matched {
  const matches: Match[] = [];
  const used = new Set<Fact>();
  for (const whole of sources) {
    if (whole.type !== 'frequency' || !whole.counted) continue;
    const bare = targets.find(
      (one) => one.type === 'times' && !used.has(one) && sameCounts(whole.counts, one.counts),
    );
    const carrier = targets.find(
      (one) => one.type === 'frequency' && !used.has(one) && isSame(one.seconds[0], whole.seconds[0]),
    );
    const rest = carrier && sources.find((one) => !used.has(one) && isCountOf(one, carrier));
    if (!bare || !carrier || !rest) continue;
    for (const fact of [whole, rest, bare, carrier]) used.add(fact);
    matches.push({ source: whole, target: bare }, { source: rest, target: carrier });
  }
  return { matches, ...without(sources, targets, used) };
}

/** Returns the facts that a fact is made of, where another language may say them one by one. */
function partsOf(fact: Fact): Fact[] {
  if ('ends' in fact) return [...fact.ends];
  if (fact.type === 'frequency' && fact.counted) {
    const { counts, start, end } = fact;
    const single: Fact = { ...fact, counts: [1, 1], counted: false };
    return [{ type: 'times', start, end, counts, strength: 'strong' }, single];
  }
  return [];
}

/** Matches a range, ratio or frequency of one side with its parts on the other: "von 10 auf 5 mg", "from 10 to 5 mg". */
function matchParts({ sources, targets }: Matched): Matched {
  const matches: Match[] = [];
  const used = new Set<Fact>();
  const take = (whole: Fact, others: readonly Fact[], isSource: boolean) => {
    const parts = partsOf(whole);
    if (parts.length === 0 || others.length > MAX_COMPARED) return;
    const found: Fact[] = [];
    for (const part of parts) {
      const other = others.find(
        (one) =>
          !used.has(one) && !found.includes(one) && (!isArticle(one) || isSpelled(part)) && isPart(part, one),
      );
      if (other) found.push(other);
    }
    if (found.length < parts.length) return;
    // "von 10 auf 5 mg" has its unit once.
    if (!parts.some((part, index) => found[index] && isSameFact(part, found[index]))) return;
    used.add(whole);
    parts.forEach((part, index) => {
      const other = found[index];
      if (!other) return;
      used.add(other);
      matches.push(isSource ? { source: part, target: other } : { source: other, target: part });
    });
  };
  for (const source of sources) take(source, targets, true);
  for (const target of targets) if (!used.has(target)) take(target, sources, false);
  return { matches, ...without(sources, targets, used) };
}

/** "à 2 %" lacks the 1 of "1 to 2 %", whatever articles stand elsewhere. */
const isArticle = (fact: Fact): boolean => 'strength' in fact && fact.strength === 'weak';

const isSpelled = (fact: Fact): boolean => fact.type === 'quantity' && fact.spelled === true;

/** A part may lack the unit that is said once for the whole. */
function isPart(part: Fact, other: Fact): boolean {
  if (isSameFact(part, other)) return true;
  if (part.type !== 'quantity' || other.type !== 'quantity') return false;
  if (!haveSameComparators(part, other)) return false;
  return isSame(part.value, other.value) && (part.unit === null || other.unit === null);
}
