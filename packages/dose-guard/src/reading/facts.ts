import type { Span } from '../findings.ts';
import type { Comparator } from '../words/grammar-words.ts';
import type { Unit } from '../words/units.ts';

/** Tells how surely a number is one. `weak` facts may stay alone: "a" and "one" are articles more often than counts. */
export type Strength = 'strong' | 'ordinal' | 'weak';

/** What was read, and the index of the token behind it. */
export interface Found<Read> {
  fact: Read;
  next: number;
}

/** A number with its unit and comparator, as in "at least 5 mg". */
export interface Quantity extends Span {
  type: 'quantity';
  value: number;
  /** Other values that the same words may have: "quinze jours" are two weeks as well. */
  others?: readonly number[];
  unit: Unit | null;
  /** The unit was written once for several numbers, so that it may be missing here: "5 or 10 mg". */
  sharedUnit?: true;
  /** The units of the numbers beside one that has none: "vor dem Frühstück 4, abends 8 Einheiten". */
  unitsNear?: readonly Unit[];
  comparators: readonly (Comparator | 'none')[];
  strength: Strength;
  /** Written in words. */
  spelled?: true;
  /** Written with another language's decimal sign. */
  misread?: true;
}

/** Two ends: 5–10 mg. Each end is a quantity of its own. */
export interface Range extends Span {
  type: 'range';
  ends: readonly [Quantity, Quantity];
}

/** Two numbers with a colon or slash: 1:1000, 120/80 mmHg, 1/2. */
export interface Pair extends Span {
  type: 'pair';
  sign: ':' | '/';
  ends: readonly [Quantity, Quantity];
}

/** A frequency: a count, or a range of counts, in a number of seconds. */
export interface Frequency extends Span {
  type: 'frequency';
  counts: readonly [number, number];
  /** The count was said, as in "twice"; in "10 mg daily" it was not. */
  counted: boolean;
  seconds: readonly [number, number];
  strength: Strength;
  /** A comparator stood before it: at least twice a week. */
  limit?: 'least' | 'most';
  misread?: true;
}

/** "three times" without a period. */
export interface Times extends Span {
  type: 'times';
  counts: readonly [number, number];
  strength: Strength;
  limit?: 'least' | 'most';
  misread?: true;
}

/** A calendar date, of which a part may be missing. `others` are further readings: 03/04/2024 is two dates in English. */
export interface CalendarDate extends Span {
  type: 'date';
  readings: readonly string[];
}

/** A time of day in minutes. */
export interface Clock extends Span {
  type: 'clock';
  minutes: number;
  /** Whether the half of the day was said; 8 o'clock may be in the evening. */
  isCertain: boolean;
  /** Noon and midnight may be part of another word: Mittagssonne. */
  strength?: Strength;
}

/** A number that belongs to a name: COVID-19, HbA1c, section 4.2, 1-0-1. */
export interface Name extends Span {
  type: 'name';
  digits: string;
  stem: string;
}

export type Fact = Quantity | Range | Pair | Frequency | Times | CalendarDate | Clock | Name;

/** Returns the number of a fact, or the first of two, which a comparator before them compares; undefined for what is no number. */
export const quantityOf = (fact: Fact): Quantity | undefined =>
  fact.type === 'quantity' ? fact : 'ends' in fact ? fact.ends[0] : undefined;

/** Returns a number, or two, with other comparators. */
export const withComparators = <Number extends Quantity | Range | Pair>(
  fact: Number,
  comparators: Quantity['comparators'],
): Number =>
  'ends' in fact
    ? { ...fact, ends: [{ ...fact.ends[0], comparators }, fact.ends[1]] }
    : { ...fact, comparators };

/** Returns the index of the first of spans in order that begins at a place or behind it. To go through all of them for each number took seconds. */
export function indexFrom(spans: readonly Span[], place: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
