import type { Token } from '../reading/tokens.ts';
import { setOf } from './table.ts';

/**
 * Beginnings of the words that compare or limit in English, Spanish, French and German, wherever they stand. A text with as
 * many of them as its translation may tie one to another number, or compare in words that no table has.
 */
const COMPARING =
  /^(?:more|less|fewer|least|most|over|under|above|below|beyond|within|exceed\p{L}*|excess|max\p{L}*|min|minim\p{L}*|limit\p{L}*|ceiling|barely|hardly|older|younger|longer|shorter|higher|lower|greater|larger|smaller|más|menos|mayor(?:es)?|menor(?:es)?|superior(?:es)?|inferior(?:es)?|mucho|hasta|sumo|máx\p{L}*|mín\p{L}*|super[aeo]\p{L}*|exced\p{L}*|rebas\p{L}*|sobrepas\p{L}*|encima|debajo|límite|limita\p{L}*|apenas|plus|moins|supérieur\p{L}*|inférieur\p{L}*|sous|dessus|dessous|delà|dépass\p{L}*|excéd\p{L}*|jusqu|peine|plafon\p{L}*|mindest\p{L}*|wenigstens|höchst\p{L}*|mehr|weniger|über|überschr\p{L}*|überst\p{L}*|unter|unterhalb|oberhalb|unterschr\p{L}*|ab|adelante|längst\p{L}*|spätest\p{L}*|frühest\p{L}*|binnen|innerhalb|knapp|kaum|\p{L}+höchst\p{L}*|größer|kleiner|höher|niedriger|länger|kürzer|älter|jünger|darüber|darunter|hinaus|grenz\p{L}*|obergrenze|mind)$|^[<>≤≥⩽⩾≦≧]=?$|^=[<>]$/u;

/** "En plus", "de más" and "une heure plus tard" compare no number. */
const isFurther = (tokens: readonly Token[], at: number): boolean =>
  /^(?:plus|más)$/.test(tokens[at]?.lower ?? '') &&
  tokens[at - 1]?.lower !== 'au' &&
  (/^(?:tard|tarde|tôt|aucune?|jamais|souvent|rien|personne|rapid\p{L}*)$/u.test(
    tokens[at + 1]?.lower ?? '',
  ) ||
    (/^(?:en|de)$/.test(tokens[at - 1]?.lower ?? '') && tokens[at + 1]?.lower !== 'de'));

/** Tells whether a word compares or limits. "Up" does so before "to". */
export const isComparing = (tokens: readonly Token[], at: number): boolean =>
  (COMPARING.test(tokens[at]?.lower ?? '') && !isFurther(tokens, at) && tokens[at + 1]?.text !== '-') ||
  /^(?:up to|bis zu)$/.test(`${tokens[at]?.lower} ${tokens[at + 1]?.lower}`);

/** Verbs that hold for every number of their sentence: "3 mg/kg ohne und 7 mg/kg mit Adrenalin nicht überschreiten". */
export const GOVERNING =
  /^(?:exceed|super[ae]|exced|sobrepas|rebas|dépass|excéd|überschr|übersteig|unterschr)/;

/** Words that may as well say when or where to as how much: "hasta 14 cm", "bis zwölf". */
const AMBIGUOUS = /^(?:hasta|jusqu|within|innerhalb|binnen|sous)$/;

/** Tells whether a word compares and does nothing else. */
export const isClearlyComparing = (tokens: readonly Token[], at: number): boolean => {
  const word = tokens[at]?.lower ?? '';
  return word === 'than' || (isComparing(tokens, at) && !AMBIGUOUS.test(word));
};

/** Words before a dose that somebody has while something is measured: "97 % on 2 l", "97 % unter 2 l", "sous 2 l". */
export const DURING = setOf('on with under con bajo avec sous mit unter bei taking receiving');

/** Beginnings of words that name a period, by its seconds, for a text that says it otherwise: a night, la veille au soir. */
export const PERIOD_HINTS: readonly (readonly [seconds: number, hints: RegExp])[] = [
  [60, /^(?:min|lpm|bpm|rpm)/],
  [3600, /^(?:h$|hour|hor|heure|stund|std)/],
  [
    86_400,
    /^(?:d$|dai|day|night|even|morn|bed|día|diar|noch|mañana|jour|quotid|soir|nuit|matin|coucher|tag|täg|tgl|nacht|nächt|abend|morgen|früh|mittag|24$)/,
  ],
  [604_800, /^(?:w(?:ee)?k|sem|hebdo|woch|wöch|7$)/],
  [2_629_800, /^(?:month|mes|mensu|mois|monat)/],
  [31_557_600, /^(?:year|year|annu|an$|ans$|anné|año|anual|jahr|jähr)/],
];
