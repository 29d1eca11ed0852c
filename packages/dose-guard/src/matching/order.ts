import { type Fact, indexFrom, type Quantity } from '../reading/facts.ts';
import type { Reading } from '../reading/read-segment.ts';
import type { Match } from './match-facts.ts';

/** So many words to each side tell what a number belongs to; nearer ones tell more. */
const REACH = 6;
/** Beyond so many numbers of one kind, only neighbours are compared. */
const MAX_COMPARED = 24;
/** The words around two numbers have to say this much more clearly that they stand where they ought to. */
const MARGIN = 0.2;

type Context = ReadonlyMap<string, number>;

/**
 * Returns pairs of matches whose numbers seem to have been exchanged: 5 mg in the morning and 10 mg at night. They stand in another
 * order than in the source, and the words around them, as far as two languages share any, have not moved with them.
 */
export function findExchanged(matches: readonly Match[], source: Reading, target: Reading): [Match, Match][] {
  const compared = matches.filter((match) => isCompared(match.source) && isCompared(match.target));
  // Digits that change places keep the units that stand there.
  const groups = Map.groupBy(compared, (match) =>
    groupOf(groupOf(match.target) === NO_UNIT ? match.source : match.target),
  );
  const exchanged: [Match, Match][] = [];
  const used = new Set<Match>();
  for (const group of groups.values()) {
    group.sort((one, other) => one.source.start - other.source.start);
    group.forEach((one, index) => {
      const others = group.slice(index + 1, group.length > MAX_COMPARED ? index + 2 : undefined);
      const other = others.find(
        (next) =>
          !used.has(one) &&
          !used.has(next) &&
          one.target.start > next.target.start &&
          keyOfValue(one.source) !== keyOfValue(next.source) &&
          !isRepeated(one, group) &&
          !isRepeated(next, group) &&
          !haveMoved(one, next, source, target),
      );
      if (!other) return;
      used.add(one).add(other);
      exchanged.push([one, other]);
    });
  }
  return exchanged;
}

/** Which of two "L5" a name stands for is not known. */
const isRepeated = ({ source }: Match, group: readonly Match[]): boolean =>
  source.type === 'name' &&
  group.some((other) => other.source !== source && keyOfValue(other.source) === keyOfValue(source));

/** Returns whether the words around two numbers have moved with them. */
function haveMoved(one: Match, other: Match, source: Reading, target: Reading): boolean {
  const [from, to] = [one, other].map((match) => readContext(source, match.source));
  const [here, there] = [one, other].map((match) => readContext(target, match.target));
  if (!from || !to || !here || !there) return false;
  return likeness(from, here) + likeness(to, there) > likeness(from, there) + likeness(to, here) + MARGIN;
}

const isCompared = (fact: Fact): boolean =>
  fact.type === 'quantity'
    ? fact.strength === 'strong'
    : fact.type === 'range' ||
      fact.type === 'pair' ||
      fact.type === 'clock' ||
      fact.type === 'date' ||
      // "/h" belongs to its unit; intervals such as every 8 and every 24 hours may be exchanged.
      (fact.type === 'frequency' && fact.seconds[0] > 3600) ||
      (fact.type === 'name' && /^\d+$/.test(fact.digits));

const isYear = ({ unit, value }: Quantity): boolean =>
  unit === null && Number.isInteger(value) && value >= 1900 && value < 2100;

const NO_UNIT = 'unit ';

/** Numbers of one unit may be exchanged for each other. */
function groupOf(fact: Fact): string {
  if (fact.type === 'range') return groupOf(fact.ends[0]);
  if (fact.type === 'name') return NO_UNIT;
  if (fact.type !== 'quantity') return fact.type;
  // A year may stand anywhere in a sentence.
  if (isYear(fact)) return 'year';
  // Digits that change places keep their "million".
  const scale = !fact.unit && Math.abs(fact.value) >= 1e6 ? ' scaled' : '';
  const unit = unitOf(fact);
  return unit ? `unit ${unit.dimension} ${unit.factor}` : `${NO_UNIT}${scale}`;
}

/** A number of a list has the unit that stands with another one of it. */
const unitOf = (fact: Quantity) => fact.unit ?? fact.unitsNear?.[0];

function keyOfValue(fact: Fact): string {
  if (fact.type === 'quantity') return String(fact.value * (fact.unit?.factor ?? 1));
  if ('ends' in fact) return fact.ends.map(keyOfValue).join();
  if (fact.type === 'clock') return String(fact.minutes);
  if (fact.type === 'name') return fact.digits;
  if (fact.type === 'frequency') return `${fact.counts} ${fact.seconds}`;
  return fact.type === 'date' ? (fact.readings[0] ?? '') : '';
}

/** Returns the words around a fact, by how they begin, with weights that fall with their distance. */
function readContext({ tokens }: Reading, { start, end }: Fact): Context {
  const context = new Map<string, number>();
  const [first, last] = [indexFrom(tokens, start), indexFrom(tokens, end)];
  const before = tokens.slice(Math.max(0, first - REACH), first).reverse();
  for (const side of [before, tokens.slice(last, last + REACH)]) {
    const stop = side.findIndex(({ text }) => /^[.!?;]$/.test(text));
    side.slice(0, stop < 0 ? REACH : stop).forEach(({ lower }, index) => {
      const key = cognateOf(lower);
      if (key) context.set(key, Math.max(context.get(key) ?? 0, 1 / (index + 1)));
    });
  }
  return context;
}

/** Returns the beginning of a word as many languages share it, up to accents and the spelling of a few sounds. */
function cognateOf(word: string): string | undefined {
  const folded = word
    .normalize('NFD')
    .replace(/\P{L}/gu, '')
    .replaceAll(/([pt])h/g, (_, letter) => (letter === 'p' ? 'f' : 't'));
  return folded.length < 4 ? undefined : folded.replaceAll(/[kz]/g, 'c').replaceAll('y', 'i').slice(0, 4);
}

function likeness(one: Context, other: Context): number {
  let sum = 0;
  for (const [key, weight] of one) sum += Math.sqrt(weight * (other.get(key) ?? 0));
  return sum;
}
