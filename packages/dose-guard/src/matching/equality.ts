import type {
  CalendarDate,
  Clock,
  Fact,
  Frequency,
  Name,
  Pair,
  Quantity,
  Range,
  Times,
} from '../reading/facts.ts';
import { DAY, isTime, YEAR } from '../reading/units.ts';

/** Two numbers are equal up to what arithmetic with fractions loses. */
const PRECISION = 1e-6;

export function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= PRECISION * Math.max(Math.abs(one), Math.abs(other));
}

/** Returns whether a fact counts even if nothing on the other side looks like it. */
export const mustMatch = (fact: Fact): boolean => !('strength' in fact) || fact.strength === 'strong';

const inUnit = ({ value, unit }: Quantity): number => value * (unit?.factor ?? 1);

export function haveSameComparators(one: Quantity, other: Quantity): boolean {
  if (areOpposite(one, other)) return false;
  return (
    one.comparators.some((comparator) => other.comparators.includes(comparator)) || areRounded(one, other)
  );
}

const LEAST: ReadonlySet<string> = new Set(['ge', 'gt']);
const MOST: ReadonlySet<string> = new Set(['le', 'lt']);

/** "from 12 years" and "up to 12 years" may both be no limits, but are no translations of each other. */
export function areOpposite(one: Quantity, other: Quantity): boolean {
  const [first, second] = [directionOf(one), directionOf(other)];
  return first !== undefined && second !== undefined && first !== second;
}

function directionOf({ comparators }: Quantity): 'least' | 'most' | undefined {
  // "within" is at most and less than, and may be "over" as well.
  if (['none', 'le', 'lt'].every((one) => comparators.some((comparator) => comparator === one)))
    return undefined;
  const [isLeast, isMost] = [LEAST, MOST].map((set) => comparators.some((comparator) => set.has(comparator)));
  return isLeast === isMost ? undefined : isLeast ? 'least' : 'most';
}

/** Returns whether one of two quantities is only about what the other says exactly. */
export function areRounded(one: Quantity, other: Quantity): boolean {
  const isAbout = ({ comparators }: Quantity) => comparators.includes('about');
  const isPlain = ({ comparators }: Quantity) => comparators.includes('none');
  const isEither = one.comparators.some((comparator) => other.comparators.includes(comparator));
  return !isEither && ((isAbout(one) && isPlain(other)) || (isPlain(one) && isAbout(other)));
}

/** Returns whether two values with their units are the same amount, such as 0.5 g and 500 mg. */
export function isSameAmount(one: Quantity, other: Quantity): boolean {
  const dimensions = [one.unit?.dimension ?? '', other.unit?.dimension ?? ''];
  if (dimensions[0] === dimensions[1]) {
    if (isSame(inUnit(one), inUnit(other)) || isPartOfOrdinal(one, other)) return true;
    const others = [...(one.others ?? []), ...(other.others ?? [])];
    if (others.length > 0 && one.unit && other.unit) {
      const [value, factor] = one.others
        ? [inUnit(other), one.unit.factor]
        : [inUnit(one), other.unit.factor];
      return others.some((another) => isSame(another * factor, value));
    }
    return isHalfOfPercent(one, other);
  }
  return isHalfOfPercent(one, other) || (isSame(one.value, other.value) && mayLackUnit(one, other));
}

/** "the top fifth" is an ordinal by its word, and "das oberste Fünftel" a part. */
function isPartOfOrdinal(one: Quantity, other: Quantity): boolean {
  const [ordinal, part] = one.strength === 'ordinal' ? [one, other] : [other, one];
  return (
    ordinal.strength === 'ordinal' && part.value < 1 && !part.unit && isSame(part.value * ordinal.value, 1)
  );
}

/** "half of them" is 50 %. */
function isHalfOfPercent(one: Quantity, other: Quantity): boolean {
  const [part, percent] = one.unit === null ? [one, other] : [other, one];
  return (
    part.unit === null &&
    percent.unit?.code === '%' &&
    part.value < 1 &&
    part.value > 0 &&
    Math.abs(part.value * 100 - percent.value) < 0.5 &&
    !Number.isInteger(part.value * 10 - 0.1) &&
    part.value > 0.2
  );
}

/** Returns whether one of two quantities of the same value may do without the unit of the other. */
function mayLackUnit(one: Quantity, other: Quantity): boolean {
  if (one.sharedUnit || other.sharedUnit) return true;
  const [bare, full] = one.unit === null ? [one, other] : [other, one];
  if (bare.unit === null) {
    const { unit } = full;
    if (
      bare.unitsNear?.some((near) => near.dimension === unit?.dimension && isSame(near.factor, unit.factor))
    )
      return true;
    // What counts things may be another word, and "aged 5" is 5 years.
    if (isTime(unit) && bare.spelled) return true;
    // "sept livres" may be books, weight or money.
    return (
      unit?.loose === true || unit?.code === '[lb_av]' || (isTime(unit) && isSame(unit.factor, YEAR.factor))
    );
  }
  const dimensions = new Set([one.unit?.dimension, other.unit?.dimension]);
  return dimensions.has('degree') && (dimensions.has('temperature') || dimensions.has('temperature-f'));
}

export const sameCounts = (one: readonly [number, number], other: readonly [number, number]): boolean =>
  isSame(one[0], other[0]) && isSame(one[1], other[1]);

const sameQuantity = (one: Quantity, other: Quantity): boolean =>
  isSameAmount(one, other) &&
  // "until the second" and "from the second on" set no limits.
  (one.strength === 'ordinal' || other.strength === 'ordinal' || haveSameComparators(one, other));

const sameRange = (one: Range, other: Range): boolean =>
  (sameQuantity(one.ends[0], other.ends[0]) && isSameAmount(one.ends[1], other.ends[1])) ||
  isEvening(one, other) ||
  isEvening(other, one);

/** "in the evening between six and nine" is from 18 to 21 h. */
const isEvening = ({ ends }: Range, hours: Range): boolean =>
  ends.every(
    ({ unit, value }, at) =>
      !unit && hours.ends[at]?.unit?.code === 'h' && hours.ends[at].value === value + 12,
  );

const samePair = (one: Pair, other: Pair): boolean =>
  isSame(one.ends[0].value, other.ends[0].value) &&
  isSame(one.ends[1].value, other.ends[1].value) &&
  isSameAmount(one.ends[1], other.ends[1]) &&
  haveSameComparators(one.ends[0], other.ends[0]);

/** "at least twice a week" is not "at most twice a week". */
const areOpposed = (one: Times | Frequency, other: Times | Frequency): boolean =>
  one.limit !== other.limit &&
  ((one.limit !== undefined && other.limit !== undefined) ||
    (one.limit === undefined ? other : one).strength === 'strong');

const sameFrequency = (one: Frequency, other: Frequency): boolean =>
  !areOpposed(one, other) &&
  ((sameCounts(one.counts, other.counts) && sameCounts(one.seconds, other.seconds)) ||
    areSameRate(one, other));

/** "twice a year" is "every six months", while "twice a day" may be at any hours. */
const areSameRate = (one: Frequency, other: Frequency): boolean =>
  Math.min(one.seconds[0], other.seconds[0]) > 30 * DAY.factor &&
  one.counts[0] === one.counts[1] &&
  other.counts[0] === other.counts[1] &&
  isSame(one.counts[0] / one.seconds[0], other.counts[0] / other.seconds[0]);

const sameDate = (one: CalendarDate, other: CalendarDate): boolean =>
  one.readings.some((reading) => other.readings.includes(reading));

const sameClock = (one: Clock, other: Clock): boolean =>
  one.minutes === other.minutes ||
  (!(one.isCertain && other.isCertain) && one.minutes % 720 === other.minutes % 720);

const sameTimes = (one: Times, other: Times): boolean =>
  !areOpposed(one, other) && sameCounts(one.counts, other.counts);

const sameName = (one: Name, other: Name): boolean => one.digits === other.digits;

/** Returns whether two facts of one type say the same. */
export function isSameOfType(one: Fact, other: Fact): boolean {
  if (one.type === 'quantity' && other.type === 'quantity') return sameQuantity(one, other);
  if (one.type === 'range' && other.type === 'range') return sameRange(one, other);
  if (one.type === 'pair' && other.type === 'pair') return samePair(one, other);
  if (one.type === 'frequency' && other.type === 'frequency') return sameFrequency(one, other);
  if (one.type === 'times' && other.type === 'times') return sameTimes(one, other);
  if (one.type === 'date' && other.type === 'date') return sameDate(one, other);
  if (one.type === 'clock' && other.type === 'clock') return sameClock(one, other);
  return one.type === 'name' && other.type === 'name' && sameName(one, other);
}

/** Returns whether two facts of different types say the same: "3 times" and "3", "à 20 h" and "8 p.m.", "Typ-2" and "type 2". */
function isSameAcrossTypes(one: Fact, other: Fact): boolean {
  const pairs: [Fact, Fact][] = [
    [one, other],
    [other, one],
  ];
  return pairs.some(([first, second]) => {
    if (first.type === 'times' && second.type === 'range') {
      const [low, high] = second.ends;
      return low.unit === null && high.unit === null && sameCounts(first.counts, [low.value, high.value]);
    }
    if (second.type !== 'quantity')
      return first.type === 'clock' && second.type === 'pair' && isClockPair(first, second);
    // "day 1" is "J1".
    if (first.type === 'name')
      return isSame(Number(first.digits), second.value) && (second.unit === null || isTime(second.unit));
    if (first.type === 'times')
      return (
        sameCounts(first.counts, [second.value, second.value]) &&
        second.unit === null &&
        isWithin(first, second)
      );
    if (first.type === 'clock') return isClockQuantity(first, second);
    if (first.type === 'frequency') return isPeriodQuantity(first, second);
    if (first.type === 'pair')
      return second.unit === null && isSame(first.ends[0].value / first.ends[1].value, second.value);
    return false;
  });
}

/** "more than sixfold" is not "less than six times", and neither is "six times". */
function isWithin({ limit }: Times, quantity: Quantity): boolean {
  const direction = directionOf(quantity);
  return direction === limit || (limit === undefined && quantity.comparators.includes('none'));
}

/** "al minuto" is "at one minute" too, and "every five" leaves its years out. */
function isPeriodQuantity({ counts, counted, seconds }: Frequency, quantity: Quantity): boolean {
  if (counted || !isSame(counts[0], 1) || !isSame(seconds[0], seconds[1])) return false;
  if (quantity.unit === null) {
    const units = [3600, 86_400, 604_800, 2_629_800, YEAR.factor];
    return (
      quantity.spelled === true &&
      quantity.value > 1 &&
      units.some((unit) => isSame(seconds[0], quantity.value * unit))
    );
  }
  // "in 24 hours" is "daily".
  const isDay = quantity.unit.code === 'h' && quantity.value === 24;
  return (
    (isDay || quantity.strength === 'weak') && isTime(quantity.unit) && isSame(inUnit(quantity), seconds[0])
  );
}

const isClockPair = ({ minutes }: Clock, { ends: [hours, rest] }: Pair): boolean =>
  hours.value * 60 + rest.value === minutes;

function isClockQuantity(clock: Clock, { value, unit }: Quantity): boolean {
  if (clock.minutes % 60 !== 0 || value > 24 || (unit !== null && unit.code !== 'h')) return false;
  const hours = clock.minutes / 60;
  return (
    hours === value % 24 ||
    (!clock.isCertain && hours % 12 === value % 12) ||
    (unit === null && hours % 12 === value % 12)
  );
}

export function isSameFact(one: Fact, other: Fact): boolean {
  return one.type === other.type ? isSameOfType(one, other) : isSameAcrossTypes(one, other);
}
