import type { Language } from '../findings.ts';
import {
  COMPARATORS_BEFORE,
  COMPARATORS_BEHIND,
  type Comparator,
  type ComparatorWord,
  FILLERS,
} from '../words/grammar-words.ts';
import { setOf } from '../words/table.ts';
import type { Unit } from '../words/units.ts';
import { readWholeNumeral } from './counts.ts';
import type { Strength } from './facts.ts';
import type { Token } from './tokens.ts';
import { isTime } from './units.ts';

/** The unit of a number, and the index behind both. */
interface Measured {
  unit: Unit | null;
  next: number;
  strength: Strength;
}

/** Holds what is known of a sentence before its quantities are read: where comparators end. */
export interface ComparatorsBefore {
  at(index: number): { word: ComparatorWord; start: number } | undefined;
}

/** The word behind a comparative: faster than, schneller als. Spanish and French compare with "más" and "plus". */
const THAN: Readonly<Record<Language, string | null>> = { en: 'than', de: 'als', es: null, fr: null };

/** Finds all comparators of a text, by the index of the token behind each. The longest one counts. */
export function findComparators(tokens: readonly Token[], language: Language): ComparatorsBefore {
  const byEnd = new Map<number, { word: ComparatorWord; start: number }>();
  let until = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    // "2 l/min" has no minimum.
    const found = tokens[at - 1]?.text === '/' ? undefined : COMPARATORS_BEFORE[language].find(tokens, at);
    // "al menos de 18 a 24": the comparator that begins within another one is none.
    if (found && at < until && found.next > until) continue;
    until = Math.max(until, found?.next ?? 0);
    if (found && !byEnd.has(found.next)) byEnd.set(found.next, { word: found.meaning, start: at });
    const than = tokens[at + 1];
    if (
      than?.lower === THAN[language] &&
      /^\p{L}{2,}er$/u.test(tokens[at]?.lower ?? '') &&
      !byEnd.has(at + 2)
    ) {
      byEnd.set(at + 2, { word: { comparator: 'gt' }, start: at });
    }
  }
  return { at: (index) => byEnd.get(index) };
}

export const optionsOf = ({ comparator, also, weak }: ComparatorWord): readonly (Comparator | 'none')[] => [
  comparator,
  ...(also ? [also] : []),
  ...(weak ? (['none'] as const) : []),
];

const REACHED = /^(?:alcanz|reach|atteign|attein|erreich|peak|culmin)/;

/** Words that change to a value: "erhöhen auf bis zu", "aumentar hasta 10 mg" set no limit. */
const CHANGES =
  /^(?:aument|turn|suba|stell|set|increment|elev|reduc|dismin|baj|sub|augment|accroî|rédui|diminu|erhöh|steiger|reduzi|senk|increas|rais|titrat|reduc|decreas|lower|bring|titul|titr|monte|pass|extend|prolong|llegar|continu|sig[au]|segu|prosig|keep|wait|esper|attend|wart|weiter|fortf|fortg|go$|goes$|went$|move|switch|step)/;

export function comparatorBefore(
  tokens: readonly Token[],
  start: number,
  language: Language,
  comparators: ComparatorsBefore,
  amount: Measured,
): ComparatorWord | undefined {
  let index = start;
  for (let skipped = 0; skipped <= 3; skipped += 1) {
    const found = comparators.at(index);
    if (found) {
      // "indice 30 au moins vingt minutes": it may belong to the number before.
      const isShared =
        tokens[found.start - 1]?.kind === 'number' &&
        COMPARATORS_BEHIND[language].find(tokens, found.start) !== undefined;
      return soften(tokens, index, isShared ? { ...found.word, weak: true } : found.word, amount);
    }
    if (!FILLERS[language].has(tokens[index - 1]?.lower ?? '')) return undefined;
    index -= 1;
  }
  return undefined;
}

const SPANS = setOf('over über beyond vers hacia unter under around um gegen about');
const AGED =
  /^(?:old|age|ages|aged|alt|alter|edad|âge|âgés?|âgées?|patient|patienten|patientinnen|pacientes|patients|adult|adults|people|persons|personen|menschen|women|men|frauen|männer|erwachsene|erwachsenen|children|kinder|kindern|those|jugendliche|individuals|bab(?:y|ies)|bébés?|bebés?|infants?|säuglinge?n?|nourrissons?|lactantes?|neugeborenen?|niñ[oa]s?|enfants?|newborns?|menores|mädchen|jungen|fillettes?|filles|garçons|girls|boys|child)$/;

/** Makes a comparator weak where it may as well say something else: "over 5 days", "increase up to 10 mg". */
function soften(
  tokens: readonly Token[],
  end: number,
  word: ComparatorWord,
  { unit, next, strength }: Measured,
): ComparatorWord | undefined {
  const last = tokens[end - 1];
  const isSpan = SPANS.has(last?.lower ?? '');
  const before = tokens[end - 2];
  if (isSpan && before?.kind === 'number' && before.spaced) return undefined;
  if (isSpan && isTime(unit)) {
    const isAge = [before, tokens[next], tokens[next + 1]].some((one) => AGED.test(one?.lower ?? ''));
    if (!isAge) return { ...word, weak: true };
  }
  const isEnd = /^(?:hasta|à|jusqu|to|bis|zu|ab|from|de|desde|dès|until|dem|den|el|la|los|las)$/.test(
    last?.lower ?? '',
  );
  // "hasta dos horas antes", "ab dem zweiten Tag nach": where a time ends or begins.
  const isPlace = strength === 'ordinal' || (isTime(unit) && BEFORE_OR_AFTER.test(tokens[next]?.lower ?? ''));
  if (isEnd && isPlace) {
    return last?.lower === 'bis' || last?.lower === 'ab' ? undefined : { ...word, weak: true };
  }
  // "alcanzó un máximo de 17": the highest value, and no limit.
  if (
    word.comparator === 'le' &&
    tokens.slice(Math.max(0, end - 6), end).some(({ lower }) => REACHED.test(lower))
  ) {
    return { ...word, weak: true };
  }
  const isUpTo = word.comparator === 'le' && /^(?:hasta|à|jusqu|zu|to|bis)$/.test(last?.lower ?? '');
  if (isUpTo) {
    for (let index = Math.max(0, end - 9); index < end - 1; index += 1) {
      if (CHANGES.test(tokens[index]?.lower ?? '')) return { ...word, weak: true };
    }
  }
  return word;
}

const BEFORE_OR_AFTER =
  /^(?:before|after|beforehand|afterwards|later|antes|después|previas?|previos?|posterior(?:es)?|siguientes?|avant|après|suivante?s?|plus|vor|nach|vorher|danach|davor|zuvor|später)$/;

/** Reads a comparator behind a quantity: "5 mg or more". Before another number it may belong to that. */
export function comparatorAfter(
  tokens: readonly Token[],
  at: number,
  language: Language,
): { word: ComparatorWord; next: number } | undefined {
  const found = COMPARATORS_BEHIND[language].find(tokens, at);
  if (!found) return undefined;
  const isShared = readWholeNumeral(tokens, found.next, language) !== undefined;
  return { word: isShared ? { ...found.meaning, weak: true } : found.meaning, next: found.next };
}
