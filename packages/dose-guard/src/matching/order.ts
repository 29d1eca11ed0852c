import { type Fact, indexFrom, type Quantity } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';
import { conceptsOf } from '../words/concepts.ts';
import type { Match } from './match-facts.ts';

/** A side of a comparison, for the words around its facts. */
interface Side {
  tokens: readonly Token[];
  facts: readonly Fact[];
}

/** So many words to each side tell what a number belongs to; nearer ones tell more. */
const REACH = 6;
/** Beyond so many numbers of one kind, only neighbours are compared. */
const MAX_COMPARED = 24;
/** In the same order, the words have to speak for an exchange this much more clearly. */
const MARGIN_IN_ORDER = 0.9;
const MARGIN = 0.2;
/** A year stands anywhere in a sentence. */
const MARGIN_OF_YEARS = 0.3;

type Context = ReadonlyMap<string, number>;

/** Returns pairs of matches whose numbers seem to have been exchanged: 5 mg in the morning and 10 mg at night. */
export function findExchanged(matches: readonly Match[], source: Side, target: Side): [Match, Match][] {
  const groups = new Map<string, Match[]>();
  for (const match of matches) {
    if (!isCompared(match.source) || !isCompared(match.target)) continue;
    // Digits that change places keep the units that stand there.
    const measured = groupOf(match.target) === NO_UNIT ? match.source : match.target;
    const key = `${groupOf(measured)} ${factorOf(measured)}`;
    const group = groups.get(key);
    if (group) group.push(match);
    else groups.set(key, [match]);
  }
  const exchanged: [Match, Match][] = [];
  const used = new Set<Match>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const isTime = (match: Match) => isYear(match.source) || isCentury(match.source, source);
    group.sort((one, other) => one.source.start - other.source.start);
    const contexts = new Map<Match, { source: Context; target: Context }>();
    const contextOf = (match: Match) => {
      const known = contexts.get(match);
      if (known) return known;
      const made = { source: readContext(source, match.source), target: readContext(target, match.target) };
      contexts.set(match, made);
      return made;
    };
    group.forEach((one, index) => {
      const others = group.length > MAX_COMPARED ? group.slice(index + 1, index + 2) : group.slice(index + 1);
      for (const other of others) {
        if (used.has(one) || used.has(other) || keyOfValue(one.source) === keyOfValue(other.source)) continue;
        if (!isExchanged(one, other, contextOf(one), contextOf(other), isTime(one) !== isTime(other)))
          continue;
        used.add(one);
        used.add(other);
        exchanged.push([one, other]);
      }
    });
  }
  return exchanged;
}

function isExchanged(
  one: Match,
  other: Match,
  first: { source: Context; target: Context },
  second: { source: Context; target: Context },
  isTimed: boolean,
): boolean {
  if (one.target.start === other.target.start) return false;
  const straight = likeness(first.source, first.target) + likeness(second.source, second.target);
  const crossed = likeness(first.source, second.target) + likeness(second.source, first.target);
  // "In 2019, 450 patients" is "450 pacientes en 2019": a year may stand anywhere.
  if (isTimed) {
    const isSpan = one.source.type === 'range' || other.source.type === 'range';
    return crossed > straight + (isSpan ? MARGIN_IN_ORDER : MARGIN_OF_YEARS);
  }
  const inOrder = one.target.start < other.target.start;
  if (inOrder) return crossed > straight + MARGIN_IN_ORDER && straight < crossed / 3;
  return straight <= crossed + MARGIN;
}

const isYear = (fact: Fact): boolean =>
  fact.type === 'range' ? isYear(fact.ends[0]) && isYear(fact.ends[1]) : isYearNumber(fact);

/** "up to six patients in the 18th century" is "im 18. Jahrhundert bis zu sechs Kranke". */
const isCentury = (fact: Fact, { tokens }: Side): boolean => {
  const at = indexFrom(tokens, fact.start);
  return [at - 1, at + 1, at + 2].some((index) => CENTURY.test(tokens[index]?.lower ?? ''));
};

const CENTURY = /^(?:century|centuries|siglos?|siècles?|jahrhunderts?)$/;

const isYearNumber = (fact: Fact): boolean =>
  fact.type === 'quantity' &&
  fact.unit === null &&
  Number.isInteger(fact.value) &&
  fact.value >= 1900 &&
  fact.value < 2100;

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

const NO_UNIT = 'unit ';

/** Numbers of one unit may be exchanged for each other. */
function groupOf(fact: Fact): string {
  if (fact.type === 'range') return groupOf(fact.ends[0]);
  if (fact.type === 'name') return NO_UNIT;
  if (fact.type !== 'quantity') return fact.type;
  // Digits that change places keep their "million".
  const scale = !fact.unit && Math.abs(fact.value) >= 1e6 ? ' scaled' : '';
  return `unit ${unitOf(fact)?.dimension ?? ''}${scale}`;
}

const factorOf = (fact: Fact): string =>
  fact.type === 'range'
    ? factorOf(fact.ends[0])
    : fact.type === 'quantity'
      ? String(unitOf(fact)?.factor ?? '')
      : '';

/** A number of a list has the unit that stands with another one of it. */
const unitOf = (fact: Quantity) => fact.unit ?? fact.unitsNear?.[0];

function keyOfValue(fact: Fact): string {
  if (fact.type === 'quantity') return String(fact.value * (fact.unit?.factor ?? 1));
  if (fact.type === 'range') return fact.ends.map(keyOfValue).join('–');
  if (fact.type === 'pair') return fact.parts.map(keyOfValue).join(fact.sign);
  if (fact.type === 'clock') return String(fact.minutes);
  if (fact.type === 'name') return fact.digits;
  if (fact.type === 'frequency') return `${fact.counts} ${fact.seconds}`;
  return fact.type === 'date' ? (fact.readings[0] ?? '') : '';
}

/** Returns what the words around a fact stand for, with weights that fall with their distance. */
function readContext({ tokens, facts }: Side, fact: Fact): Context {
  const { start, end } = fact;
  const context = new Map<string, number>();
  addNeighbours(context, facts, fact);
  const add = (index: number, distance: number) => {
    const token = tokens[index];
    const keys = token?.kind === 'word' ? conceptsOf(token.lower) : [];
    for (const key of keys) context.set(key, Math.max(context.get(key) ?? 0, 1 / distance));
  };
  const first = indexFrom(tokens, start);
  for (let index = first - 1, distance = 1; index >= 0 && distance <= REACH; index -= 1) {
    if (/^[.!?;]$/.test(tokens[index]?.text ?? '') && !isOrdinalPoint(tokens, index)) break;
    add(index, distance);
    distance += /^[,)(]$/.test(tokens[index]?.text ?? '') ? 2 : 1;
  }
  let index = first;
  while (index < tokens.length && (tokens[index]?.start ?? 0) < end) index += 1;
  for (let distance = 1; index < tokens.length && distance <= REACH; index += 1) {
    if (/^[.!?;]$/.test(tokens[index]?.text ?? '') && !isOrdinalPoint(tokens, index)) break;
    add(index, distance);
    distance += /^[,)(]$/.test(tokens[index]?.text ?? '') ? 2 : 1;
  }
  return context;
}

/** "im 18. Jahrhundert" goes on behind its point. */
const isOrdinalPoint = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.text === '.' && /^\d{1,2}$/.test(tokens[at - 1]?.text ?? '') && tokens[at + 1]?.kind === 'word';

/** Adds the facts of other kinds close by: "10 mg at 8 am", "9 at one minute". */
function addNeighbours(context: Map<string, number>, facts: readonly Fact[], fact: Fact): void {
  const group = groupOf(fact);
  const at = facts.findIndex(({ end }) => end > fact.start);
  for (let index = Math.max(0, at - 2); index <= at + 2; index += 1) {
    const other = facts[index];
    if (!other || groupOf(other) === group) continue;
    const gap = other.start >= fact.end ? other.start - fact.end : fact.start - other.end;
    if (gap < 0 || gap > FARTHEST_FACT) continue;
    context.set(`${groupOf(other)} ${keyOfValue(other)}`, 1 / (1 + gap / CHARACTERS_PER_WORD));
  }
}

const CHARACTERS_PER_WORD = 6;
const FARTHEST_FACT = 30;

function likeness(one: Context, other: Context): number {
  let sum = 0;
  for (const [key, weight] of one) sum += Math.sqrt(weight * (other.get(key) ?? 0));
  return sum;
}
