import type { Difference, Language } from '../findings.ts';
import type { Match } from '../matching/match-facts.ts';
import { type Fact, indexFrom, quantityOf } from '../reading/facts.ts';
import type { Reading } from '../reading/read-segment.ts';
import type { Token } from '../reading/tokens.ts';
import { isTime } from '../reading/units.ts';
import { BY, CHANGING, TO } from '../words/change-words.ts';
import { isComparing } from '../words/comparator-hints.ts';

/** So many words may stand between a verb of change and its number. */
const REACH = 12;

/** Returns pairs of numbers of which one side says by how much something changes, and the other to what. */
export function compareChanges(matches: readonly Match[], source: Reading, target: Reading): Difference[] {
  return matches.flatMap((match) => {
    const one = readChange(match.source, source);
    const other = one && readChange(match.target, target);
    return other !== undefined && one !== other ? [{ kind: 'comparator', ...match }] : [];
  });
}

/** Returns what a number says of a change: how much it is, or what is left. */
function readChange(fact: Fact, { tokens, spoken }: Reading): 'by' | 'to' | undefined {
  const quantity = quantityOf(fact);
  if (!quantity || isTime(quantity.unit)) return undefined;
  const at = indexFrom(tokens, fact.start);
  let before = at - 1;
  while (before >= at - 4 && isPartOfNumber(tokens, before)) before -= 1;
  const word = tokens[before]?.lower ?? '';
  const change = BY[spoken].has(word) ? 'by' : TO[spoken].has(word) ? 'to' : undefined;
  if (!change || !isChanging(tokens, before, at, spoken)) return undefined;
  return spoken === 'fr' && change === 'by' && isFrom(tokens, at) ? undefined : change;
}

/** Returns whether a word before a number belongs to it: an article, or a comparator such as "up to" and "plus de". */
function isPartOfNumber(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.lower ?? '';
  if (/^(?:to|than|de|d|à|zu|als)$/.test(word) && isComparing(tokens, at - 1)) return true;
  return (
    isComparing(tokens, at) ||
    /^(?:up|un|una|une|einen?|el|los|las|etwa|about|environ|unos|unas|rund|ca|fast)$/.test(word)
  );
}

/** Returns whether something changes in the same sentence, before the number or, in German, behind it. */
function isChanging(tokens: readonly Token[], from: number, at: number, language: Language): boolean {
  const isStop = (index: number) => /^[.;:!?]$/.test(tokens[index]?.text ?? '');
  for (let index = from - 1; index >= Math.max(0, from - REACH) && !isStop(index); index -= 1) {
    if (CHANGING.test(tokens[index]?.lower ?? '')) return true;
  }
  if (language !== 'de') return false;
  for (let index = at; index < Math.min(tokens.length, at + REACH) && !isStop(index); index += 1) {
    if (CHANGING.test(tokens[index]?.lower ?? '')) return true;
  }
  return false;
}

/** French says "de" both for by and for from: "réduire de 10 à 5 mg". */
const isFrom = (tokens: readonly Token[], at: number): boolean =>
  tokens
    .slice(at, at + 6)
    .some(({ lower }, index, all) => lower === 'à' && all[index + 1]?.kind === 'number');
