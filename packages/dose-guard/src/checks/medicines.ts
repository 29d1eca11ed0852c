import type { Difference, Span } from '../findings.ts';
import type { Reading } from '../reading/read-segment.ts';

/**
 * The stems with which the World Health Organization ends the international names of medicines, as `fold` spells them, and the ending of
 * a language. Stems are left out where English has two names, as of salbutamol.
 */
const MEDICINE =
  /(?<=\p{L}{2})(?:mab|(?:pril|sartan|olol|vastatin|[ai]cilin|micin|trexat|acol|dipin|profen|nisolon|metason|nison|(?:[dil]o|va)cain|[rlx]icin|dralacin|promacin|peracin|metacin|[cd]epin|pramin|triptilin|perid(?:ol|on)|acosin|rosemid|tanid|amilorid|lacton|fibrat|teplas|poetin|grastim|sterid|tadin|stigmin|fentanil|adol|odein|codon|pidem|piclon|gilin|penem|tecan|posid|mustin|sulfan|fosfamid|limus|sporin|filin|tiacem|pamil|nidin|toin|suximid|gabalin|gabapentin|racetam|trigin|vudin|[ac]inra|butol|niacid|picin|cicin|cinin|goxin|daron|farin|oxetin|gliptin|gliflocin|glitacon|xaban|parin|metidin|setron|triptan|floxacin|ciclin|[bcd]uvir|amivir|[lm]ovir|navir|ciclovir|tinib|cepam|colam|barbital|otiacid|formin|platin|rubicin|taxel|lucast|triaxon|gatran|ogrel|dronat|fenac|oxicam|glutid|ticson)(?:[aeo]s?|s)?)(?!\p{L})/u;
const ENDING = /(?:[aeo]s?|s)$/;

/** Spells names as all four languages have them in common: methotrexate and metotrexato, amoxicilline and amoxicilina. */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}|-|(?<=[tcr])h/gu, '')
    .replaceAll(/\bes(?=[pct])/g, 's')
    .replaceAll('ph', 'f')
    .replaceAll(/[kz]|qu/g, 'c')
    .replaceAll('y', 'i')
    .replaceAll(/(\p{L})\1/gu, '$1');

/** Where a clause ends that the next one is set against. */
const CONTRAST = /;|, (?:whereas|while|mientras|tandis|alors que|während)\b/;
/** Beyond so many clauses, texts are compared as a whole. */
const MOST_CLAUSES = 40;

function clausesOf({ plain: { text }, sentences }: Reading): string[] {
  const ends = sentences.map((sentence) => sentence.at(-1)?.end ?? 0);
  const clauses = ends.flatMap((end, at) => text.slice(ends[at - 1] ?? 0, end).split(CONTRAST));
  return (clauses.length > MOST_CLAUSES ? [text] : clauses).map(fold);
}

/** Returns the medicines of a text that stand in no such clause of the other: it lacks them, or says something else of them. */
function findMoved({ tokens }: Reading, from: readonly string[], to: readonly string[]): Span[] {
  if (!from.some((clause) => MEDICINE.test(clause))) return [];
  return tokens.filter(({ text }) => {
    const word = fold(text);
    if (!MEDICINE.test(word)) return false;
    const stem = word.replace(ENDING, '').replace(/^bencil(?=pen)/, '');
    const isIn = (clause = '') => clause.includes(stem);
    const isPaired = from.length === to.length;
    return !from.some((clause, at) => isIn(clause) && (isPaired ? isIn(to[at]) : to.some(isIn)));
  });
}

/** Returns the medicines that only one side names, and those that it names in another clause. */
export function compareMedicines(source: Reading, target: Reading): Difference[] {
  const [one, other] = [clausesOf(source), clausesOf(target)];
  const kind = 'opposite';
  return [
    ...findMoved(source, one, other).map((found) => ({ kind, source: found, target: null }) as const),
    ...findMoved(target, other, one).map((found) => ({ kind, source: null, target: found }) as const),
  ];
}
