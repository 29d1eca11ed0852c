import type { Language } from '../findings.ts';
import { AND, OR } from '../words/grammar-words.ts';
import type { Unit } from '../words/units.ts';
import { type Fact, quantityOf } from './facts.ts';
import { isTime } from './units.ts';

/** Lets "5 or 10 mg" and "5, 10 und 20 mg" share their unit. */
export function shareUnits(
  facts: Fact[],
  tokensBetween: (from: number, to: number) => string[],
  language: Language,
): Fact[] {
  const shared = [...facts];
  for (let index = shared.length - 2; index >= 0; index -= 1) {
    const [one, other] = [shared[index], shared[index + 1]];
    if (one?.type !== 'quantity' || one.unit || !other || one.strength !== 'strong') continue;
    const unit = quantityOf(other)?.unit;
    if (!unit) continue;
    const between = tokensBetween(one.end, other.start);
    // "under three, half an hour a day" is no list.
    const isApart = between.length === 1 && between[0] === ',' && one.spelled;
    const isJoined =
      !isApart &&
      between.length > 0 &&
      between.length <= 3 &&
      between.every(
        (word) => /^[,/;&]$|^(?:bzw|\.)$/.test(word) || AND[language].has(word) || OR[language].has(word),
      );
    const isProduct = between.length === 1 && /^(?:×|x|by|por|sur|mal|auf)$/.test(between[0] ?? '');
    if (isJoined || isProduct) shared[index] = { ...one, unit, sharedUnit: true };
  }
  const isListed = (one: Fact, other: Fact) => {
    const between = tokensBetween(one.end, other.start);
    return between.length <= LONGEST_ITEM && between.some((word) => word === ',' || AND[language].has(word));
  };
  return nameUnitsNear(shared, isListed);
}

/** So many words may stand between the numbers of a list: "vor dem Frühstück 4, vor dem Abendessen 8 Einheiten". */
const LONGEST_ITEM = 6;

/** Tells the numbers of a list the unit that one of them has. */
function nameUnitsNear(facts: readonly Fact[], isListed: (one: Fact, other: Fact) => boolean): Fact[] {
  const named = [...facts];
  const name = (at: number, from: number) => {
    const [fact, other] = [named[at], named[from]];
    if (fact?.type !== 'quantity' || fact.unit || fact.spelled || fact.unitsNear || !other) return;
    if (fact.value >= 1400 && fact.value < 2100) return;
    const near = other.type === 'quantity' && other.unitsNear ? other.unitsNear : unitOf(other);
    // A time close by is more often when something is than what it is.
    const isNear =
      near.some((unit) => !isTime(unit)) && (at < from ? isListed(fact, other) : isListed(other, fact));
    if (isNear) named[at] = { ...fact, unitsNear: near };
  };
  for (let at = 1; at < named.length; at += 1) name(at, at - 1);
  for (let at = named.length - 2; at >= 0; at -= 1) name(at, at + 1);
  return named;
}

const unitOf = (fact: Fact): Unit[] => {
  const unit = quantityOf(fact)?.unit;
  return unit ? [unit] : [];
};
